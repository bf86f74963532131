"""Read CSV files and workbooks; one error lists what is wrong."""
