// Shares of the true answers to one randomised question, by cluster.
//
// multilevel.R reads the data from the exported codebook and reports. The program has no
// arrays of whole numbers, whose syntax has changed, so every version of Stan reads it.

data {
  int<lower=2> K;                          // answers
  int<lower=2> R;                          // reports
  int<lower=1> C;                          // clusters
  matrix<lower=0, upper=1>[K, R] chances;  // of each report given each answer
  matrix<lower=0>[C, R] counts;            // reports of each cluster
}
parameters {
  vector[K - 1] centre;           // log odds of the first answers against the last one
  vector<lower=0>[K - 1] spread;  // standard deviation of the clusters
  matrix[C, K - 1] deviation;     // of each cluster, in standard deviations
}
transformed parameters {
  matrix[C, K] shares;
  for (c in 1:C) {
    vector[K - 1] odds = centre + spread .* deviation[c]';
    shares[c] = softmax(append_row(odds, 0))';
  }
}
model {
  centre ~ normal(0, 1.5);  // nearly uniform for the share of one of two answers
  spread ~ normal(0, 1);
  to_vector(deviation) ~ normal(0, 1);
  // Multinomial, without its constant
  target += sum(counts .* log(shares * chances));
}
generated quantities {
  vector[C] sizes = counts * rep_vector(1, R);
  row_vector[K] overall = sizes' * shares / sum(sizes);
}
