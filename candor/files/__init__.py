"""Read CSV files and workbooks; one error lists all problems."""
