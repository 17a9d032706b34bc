"""`python -m pytest_beir`."""

import sys

from pytest_beir.cli import main

sys.exit(main())
