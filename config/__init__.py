"""Settings, URLs, accounts and help."""

import os

# Servers have a process for each core. If linear algebra starts as many threads in each
# process, they wait for each other: a regression of 2 ms took 14 ms. This is set before
# numpy is loaded; a number in the environment is not replaced.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
