"""Files of rows as people have them, read with one clear error for what is wrong."""
