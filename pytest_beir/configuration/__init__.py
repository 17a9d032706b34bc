"""Configuration: what beir.yaml and the command line declare, validated."""
