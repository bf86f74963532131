"""The tables and figures of docs/reference/validation.md."""
