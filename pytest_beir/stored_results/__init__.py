"""What was measured before: compared, merged and accepted without retrieving again."""
