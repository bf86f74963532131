"""Exported files: estimates, reports, codebook, methods section, programs."""
