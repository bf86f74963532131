// Practice and "test the coin yourself": demonstrates the function that scrambles answers.
// Nothing is stored and nothing is sent.

const DRAWS = 1000;

export function practise(journey, { practice, tables }, randomise) {
  const trial = journey.querySelector("[data-try]");
  if (trial) wireTrial(trial, practice, tables[practice.table].weights, randomise);
  const coin = journey.querySelector("[data-coin]");
  if (!coin) return; // nothing is scrambled
  coin.hidden = false;
  coin.querySelector("[data-draw]").addEventListener("click", () => {
    for (const table of coin.querySelectorAll("[data-table]")) {
      testCoin(table, tables[table.dataset.table].weights, randomise);
    }
  });
}

function wireTrial(trial, { labels, reports }, weights, randomise) {
  trial.hidden = false;
  const one = (selector) => trial.querySelector(selector);
  const coin = one(".coin"), buttons = trial.querySelectorAll("button");
  buttons.forEach((button, answer) => button.addEventListener("click", () => {
    const report = randomise(weights, answer);
    buttons.forEach((each) => each.setAttribute("aria-pressed", each === button));
    one("[data-tapped]").textContent = labels[answer];
    one("[data-received]").textContent = reports[report];
    one(".again").hidden = false;
    // Removing and adding the class restarts the animation.
    coin.classList.remove("turned");
    coin.getBoundingClientRect();
    coin.classList.add("turned");
  }));
}

function testCoin(table, weights, randomise) {
  const drawn = weights.flatMap((row, answer) => {
    const counts = row.map(() => 0);
    for (let draw = 0; draw < DRAWS; draw++) counts[randomise(weights, answer)] += 1;
    return counts;
  });
  table.querySelectorAll("[data-drawn]").forEach((cell, index) => {
    cell.textContent = drawn[index];
  });
}
