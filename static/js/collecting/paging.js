// Shows one screen at a time of a page that contains all of them. The browser's history
// stores the number of earlier screens, but no answers and not which screens. The titles
// in it do not contain questions.

const one = (selector, parent) => parent.querySelector(selector);
const all = (selector, parent) => Array.from(parent.querySelectorAll(selector));

// `settled` resolves when the typed code has been checked; `route` is from conditions.js.
export function paginate(root, place, settled, route) {
  const screens = all("[data-screen]", root);
  const find = (name) => screens.findIndex((screen) => screen.dataset.screen === name);
  const title = document.title;
  const problem = one("[data-problem]", root);
  const check = find("check");
  const questions = screens.filter((screen) => screen.dataset.screen === "question");
  const trail = [0]; // screens by their depth in the history
  const seen = [];
  let current = 0, furthest = 0;
  const isPassed = (screen) => Boolean(route) && route.hides(screen);
  let isOver = false; // nothing can be changed any more, so Back shows no earlier screen

  function show(index) {
    current = index;
    furthest = Math.max(furthest, index);
    const screen = screens[index], heading = one("h1, h2", screen);
    seen.push(screen);
    if (index === check) listAnswers();
    screens.forEach((each) => { each.hidden = each !== screen; });
    problem.hidden = true;
    one("[data-moves]", root).hidden = !index || index >= check;
    heading.setAttribute("role", "heading");
    heading.setAttribute("aria-level", "1"); // the only visible heading
    heading.tabIndex = -1;
    document.title = index ? `${screen.dataset.title || heading.textContent} – ${title}` : title;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  function open(index) {
    push();
    trail[history.state.depth] = index;
    show(index);
  }

  function push() {
    history.pushState({ depth: history.state.depth + 1, first, place }, "");
  }

  function listAnswers() {
    all("[data-answer]", root).forEach((cell) => {
      const screen = questions.find(({ dataset }) => dataset.number === cell.dataset.answer);
      if (!screen) return; // not asked
      const row = cell.closest("div");
      const labels = all(":checked", screen).map((input) => input.closest("label").textContent.trim());
      one("[data-named]", row).textContent = screen.dataset.title;
      row.hidden = isPassed(screen);
      if (!("fixed" in cell.dataset)) cell.textContent = labels.join("\n") || cell.dataset.none || "";
    });
  }

  // It must have been seen: a tick list may have no tick.
  const isDone = (screen) => (screen.dataset.screen !== "question" || seen.indexOf(screen) >= 0)
    && listAsked(screen).every(isAnswered) && !(route && route.ends(screen));
  const findUndone = () => screens.findIndex((each) => !isPassed(each) && !isDone(each));

  // When all questions are answered, a change leads back to "Check your answers", after any
  // questions that it has made visible.
  function following() {
    let index = current + 1;
    if (furthest >= check) index = findUndone();
    while (index >= 0 && isPassed(screens[index])) index += 1;
    return index < 0 ? check : index;
  }

  // This button replaces the answer "Prefer not to answer" in the list.
  all("[data-go=skip]", root).forEach((button) => {
    const asked = button.closest("[data-asked]"), label = one("[data-last]", asked);
    const press = () => button.setAttribute("aria-pressed", one("input", label).checked);
    label.hidden = true;
    button.hidden = false;
    press();
    asked.addEventListener("change", press);
  });

  const moves = {
    async next() {
      if (settled) await settled();
      const asked = listAsked(screens[current]);
      asked.forEach((each) => mark(each, isAnswered(each)));
      const missing = asked.find((each) => !isAnswered(each));
      if (!missing && route && route.ends(screens[current])) return route.finish();
      if (!missing) return open(following());
      one("[data-go=fix]", problem).textContent = one(".error", missing).textContent;
      problem.hidden = false;
      problem.focus();
      document.title = `${root.dataset.error}: ${title}`;
    },
    skip() {
      const radio = one("[data-last] input", screens[current]);
      radio.checked = true;
      radio.dispatchEvent(new Event("change", { bubbles: true }));
      moves.next();
    },
    back: () => history.back(),
    fix: () => one("[aria-invalid] input, input[aria-invalid]", screens[current]).focus(),
    change: ({ value }) => open(screens.findIndex(({ dataset }) => dataset.number === value)),
  };

  root.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-go]");
    if (button && moves[button.dataset.go]) moves[button.dataset.go](button);
  });
  addEventListener("popstate", ({ state }) => {
    if (isOver || !root.isConnected) return;
    let index = state && trail[state.depth] || 0;
    // After a change, Back and Forward must not skip new questions.
    const undone = findUndone();
    if (undone >= 0) index = Math.min(index, undone);
    while (isPassed(screens[index])) index -= 1;
    show(index);
  });
  // Questions are numbered as this respondent sees them.
  questions.forEach((screen, index) => {
    const { numbering, original } = root.dataset, { number } = screen.dataset, place = index + 1;
    Object.assign(one("progress", screen), { max: questions.length, value: place });
    if (!numbering) return;
    const parts = [numbering.replace("{number}", place).replace("{count}", questions.length)];
    if (original && Number(number) !== place) parts.push(original.replace("{number}", number));
    one("[data-progress]", screen).textContent = screen.dataset.title = parts.join(" ");
  });
  history.scrollRestoration = "manual";
  const { depth = 0, first: before = 0 } = history.state || {};
  // If the page was reached by Back or Forward, earlier entries belong to another document.
  // A reload does not change that.
  const first = performance.navigation.type === performance.navigation.TYPE_BACK_FORWARD ? depth : before;
  history.replaceState({ depth, first, place }, "");

  return {
    show,
    find,
    next: moves.next,
    isAt: (name) => screens[current].dataset.screen === name,

    // From here on, Back leaves the survey at once.
    end(name) {
      isOver = true;
      // Every path has the same number of history entries.
      while (route && history.state.depth < check) push();
      const { depth } = history.state;
      if (depth > first) history.go(first - depth);
      show(find(name));
    },
  };
}

function listAsked(screen) {
  return all("[data-asked]", screen).filter((each) => !each.hidden);
}

function isAnswered(asked) {
  const input = one("input", asked);
  if (input.type === "text") return input.checkValidity();
  return Boolean(one(":checked", asked));
}

// Shows or hides the error that an answer is missing.
export function mark(asked, isRight) {
  const group = one("[role=radiogroup]", asked) || one("input", asked);
  const error = one(".error", asked);
  const described = (group.getAttribute("aria-describedby") || "").split(" ")
    .filter((id) => id && id !== error.id);
  error.hidden = isRight;
  if (!isRight) described.push(error.id);
  set(group, "aria-invalid", isRight ? "" : "true");
  set(group, "aria-describedby", described.join(" "));
}

function set(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
