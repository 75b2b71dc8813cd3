"""``python -m examples.archive_agent``."""

import sys

from . import main

sys.exit(main())
