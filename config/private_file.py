"""An SQLite file that only its owner can read, whatever the umask."""

import os
import sqlite3
from contextlib import suppress
from typing import Any

OWNERS_ONLY = 0o600


class PrivateFile(sqlite3.Connection):
    def __init__(self, database: str, *arguments: Any, **options: Any) -> None:
        # SQLite would make it as the shell has it, for all to read, and gives its log
        # the same rights. An address of a database in memory is no name of a file.
        if not str(database).startswith((":memory:", "file:")):
            with suppress(OSError):  # it is there, or SQLite says what is wrong
                only_new = os.O_CREAT | os.O_EXCL | os.O_WRONLY
                os.close(os.open(database, only_new, OWNERS_ONLY))
        super().__init__(database, *arguments, **options)
