"""``python -m examples.archive_client``."""

import sys

from .program import main

sys.exit(main())
