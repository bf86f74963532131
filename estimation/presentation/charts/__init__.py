"""Charts as drawings, rendered as SVG, PNG and PDF."""
