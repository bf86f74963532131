"""Results of surveys, from sealed counts to pages, files and commands."""
