// Which questions are shown, decided on the respondent's device by earlier answers. What
// is sent does not tell: a question that is not shown sends a report of its declared answer.

// A question's number and the positions of answers that fulfil it, or "and", "or" and parts.
export function holds([first, ...rest], answers) {
  if (first === "and") return rest.every((part) => holds(part, answers));
  if (first === "or") return rest.some((part) => holds(part, answers));
  return rest.indexOf(answers[first - 1]) >= 0;
}

// The answers that count, and for each question whether it is hidden.
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

// `questions` are in the order of the survey: the screen of each, and what can be chosen.
// Several items of a tick list share a screen; all have its condition.
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

    // In a form, what is not shown is sent too: with its declared answer.
    declare() {
      const { answers, hidden } = current();
      questions.forEach(({ radios }, index) => {
        if (hidden[index]) radios[answers[index]].checked = true;
      });
    },
  };
}
