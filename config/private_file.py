"""SQLite connections that create files for their owner only, with any umask."""

import os
import sqlite3
from contextlib import suppress
from typing import Any

OWNERS_ONLY = 0o600


class PrivateFile(sqlite3.Connection):
    def __init__(self, database: str, *arguments: Any, **options: Any) -> None:
        # SQLite would apply the umask, which usually lets all users read, and gives its
        # log the same permissions. Databases in memory and file: URLs are no paths.
        if not str(database).startswith((":memory:", "file:")):
            with suppress(OSError):  # it exists, or SQLite reports the error
                only_new = os.O_CREAT | os.O_EXCL | os.O_WRONLY
                os.close(os.open(database, only_new, OWNERS_ONLY))
        super().__init__(database, *arguments, **options)
