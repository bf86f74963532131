"""Analyses: from counts in the database to estimates without sentences."""
