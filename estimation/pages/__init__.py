"""Pages for researchers: forms, views and their addresses."""
