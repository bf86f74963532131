// Decides on the respondent's device which questions are shown, by earlier answers. The
// message does not disclose it: a hidden question sends a report of its declared answer.

// A condition is [question number, ...positions of answers that satisfy it], or ["and" or
// "or", ...conditions].
export function holds([first, ...rest], answers) {
  if (first === "and") return rest.every((part) => holds(part, answers));
  if (first === "or") return rest.some((part) => holds(part, answers));
  return rest.indexOf(answers[first - 1]) >= 0;
}

// Returns the answers that count, and for each question whether it is hidden.
export function follow(rules, picks) {
  const answers = [];
  const hidden = picks.map((pick, index) => {
    const { condition, otherwise } = rules[index + 1] || {};
    const isHidden = Boolean(condition) && !holds(condition, answers);
    answers.push(isHidden ? otherwise : pick);
    return isHidden;
  });
  return { answers, hidden };
}

// `questions` are in the order of the survey, each with its screen and radios. The items of
// a tick list share a screen and its condition.
export function route(questions) {
  const rules = JSON.parse(document.getElementById("conditions").textContent);
  const pick = ({ radios }) => radios.findIndex(({ checked }) => checked);
  const current = () => follow(rules, questions.map(pick));
  const isHidden = (screen, hidden) => hidden[screen.dataset.number - 1];

  return {
    answers: () => current().answers,

    hides(screen) {
      const { hidden } = current();
      if (screen.dataset.screen === "question") return isHidden(screen, hidden);
      const { opens } = screen.dataset;
      return Boolean(opens) && questions.every((each) => each.screen.dataset.screen !== "question"
        || each.screen.dataset.section !== opens || isHidden(each.screen, hidden));
    },

    ends(screen) {
      if (screen.dataset.screen !== "question") return false;
      const { number } = screen.dataset, { ending = [] } = rules[number] || {};
      return ending.indexOf(pick(questions[number - 1])) >= 0;
    },

    // A form also sends questions that are not shown, with their declared answers.
    declare() {
      const { answers, hidden } = current();
      questions.forEach(({ radios }, index) => {
        if (hidden[index]) radios[answers[index]].checked = true;
      });
    },
  };
}
