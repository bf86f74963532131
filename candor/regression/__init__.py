"""Logistic regression of an answer whose reports are randomised.

`patterns` checks the arguments. `likelihood` has the probability of reports and the
maximum from one start. `maximum` and `far_out` find the highest maximum of all starts
and the profile of a coefficient. `fit` has the public function and its result.
"""
