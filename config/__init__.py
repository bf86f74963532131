"""Settings, URLs, accounts and help."""

import os

# Servers have a process for each core. Where linear algebra starts as many threads in
# each of them, they wait for one another: a regression of 2 ms took 14. Set before
# numpy is loaded, and only where no number was chosen.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
