"""The planner of a draft: precision, sample size and privacy, and the opening."""
