// Practice and "test the coin yourself": the very function that scrambles the answers,
// run for show. Nothing is kept and nothing is sent.

const DRAWS = 1_000;

export function practise(journey, survey, randomise) {
  const trial = journey.querySelector("[data-try]");
  if (trial) wireTrial(trial, survey, randomise);
  const coin = journey.querySelector("[data-coin]");
  coin.hidden = false;
  coin.querySelector("[data-draw]").addEventListener("click", () => {
    for (const table of coin.querySelectorAll("[data-table]")) {
      testCoin(table, survey.tables[table.dataset.table].weights, randomise);
    }
  });
}

function wireTrial(trial, { practice, outcomes, tables }, randomise) {
  trial.hidden = false;
  trial.addEventListener("click", ({ target }) => {
    if (!target.dataset.answer) return;
    const answer = Number(target.dataset.answer);
    const report = randomise(tables[practice].weights, answer);
    trial.querySelector("[data-outcome]").textContent = outcomes[answer][report];
  });
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
