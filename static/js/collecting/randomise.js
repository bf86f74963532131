// Turns an answer into a report. The twin of candor/mechanisms/randomness.py: both read
// tests/vectors/ and must give the same reports from the same words.

const WORDS = 2 ** 32; // every number below stays under 2**53, where JavaScript is exact

// Math.random can be predicted from a few of its numbers; this source cannot.
const randomWord = () => crypto.getRandomValues(new Uint32Array(1))[0];

// A whole number that is exactly uniform on [0, n). Words at or above the largest multiple
// of n are drawn again: the remainder alone would favour the small numbers.
export function uniformBelow(n, word = randomWord) {
  if (!(n >= 1 && n <= WORDS)) throw new RangeError(`n must be in [1, 2**32]; got ${n}`);
  const limit = WORDS - (WORDS % n);
  let u = word();
  while (u >= limit) u = word();
  return u % n;
}

// weights[answer][report] are whole numbers, and every row has the same sum. Returns the
// position of the first report whose running sum exceeds a uniform draw.
export function randomise(weights, answer, word = randomWord) {
  const total = weights[0].reduce((sum, weight) => sum + weight, 0);
  const u = uniformBelow(total, word); // before the answer is read: the draw cannot know it
  let runningSum = 0;
  return weights[answer].findIndex((weight) => (runningSum += weight) > u);
}
