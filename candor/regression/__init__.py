"""Who has the answer: logistic regression where answers were randomised.

`patterns` says what is observed, `chances` how likely it is, `search` finds where it is
likeliest, `fit` what that tells.
"""
