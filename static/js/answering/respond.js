// Only the radios ever hold a true answer. Without name and form, no browser sends,
// restores or fills them. Scrambling removes them; then every send, retry, reload and tab
// repeats the same bytes.

const journey = document.getElementById("journey");
const survey = JSON.parse(document.getElementById("survey").textContent);
const { randomise } = await import(journey.dataset.randomise);
const { invitation } = journey.dataset;
const link = invitation && await (await import(invitation)).take(survey.design);

const title = document.title;
const place = link?.place ?? `candor ${survey.design}`;
const LONGEST_WAIT = 60_000, LONGEST_REPLY = 30_000; // ms

const one = (selector, parent = journey) => parent.querySelector(selector);
const all = (selector, parent = journey) => [...parent.querySelectorAll(selector)];
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const screens = all("[data-screen]");
const find = (name) => screens.findIndex((screen) => screen.dataset.screen === name);
const questions = all("[data-screen=question]").map((screen, index) => {
  const radios = all("input", screen);
  join(radios);
  return { screen, radios, ...survey.tables[survey.questions[index]] };
});
const pickedIn = (radios) => radios.findIndex((radio) => radio.checked);

let current = 0, furthest = 0;
let body; // fixed before its first byte leaves
let timer, wait = 2_000;

// Radios without a name are no group: neither for picks, arrows nor Tab.
function join(radios) {
  const right = document.dir === "rtl" ? -1 : 1;
  const pick = (radio) => radios.forEach((each) => {
    each.checked = each === radio;
    each.tabIndex = each === radio ? 0 : -1;
  });
  radios.forEach((radio, index) => {
    radio.tabIndex = index ? -1 : 0;
    radio.addEventListener("change", () => pick(radio));
    radio.addEventListener("keydown", (event) => {
      const arrow = event.key.replace("Arrow", "");
      const step = { Down: 1, Up: -1, Right: right, Left: -right }[arrow];
      if (!step) return;
      event.preventDefault();
      const next = radios.at((index + step) % radios.length);
      pick(next);
      next.focus();
    });
  });
}

function show(index) {
  current = index;
  furthest = Math.max(furthest, index);
  const screen = screens[index], heading = one("h1", screen);
  if (index === find("check")) listAnswers();
  screens.forEach((each) => { each.hidden = each !== screen; });
  one("[data-problem]").hidden = true;
  one("[data-moves]").hidden = !index || index >= find("check");
  // Titles go into the history: no question.
  document.title = index ? `${screen.dataset.title ?? heading.textContent} – ${title}` : title;
  scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}

// The browser's history holds no answers.
function open(index) {
  history.pushState({ index, depth: history.state.depth + 1, place }, "");
  show(index);
}

function listAnswers() {
  all("[data-picked]").forEach((cell, index) => {
    cell.textContent = one("label:has(:checked)", questions[index].screen).textContent;
  });
}

const moves = {
  next() {
    const screen = screens[current];
    if (one("input", screen) && !one(":checked", screen)) {
      one("[data-problem]").hidden = false;
      one("[data-problem]").focus();
      document.title = `${journey.dataset.error}: ${title}`;
      return;
    }
    // A change returns to "Check your answers".
    open(furthest < find("check") ? current + 1 : find("check"));
  },
  back: () => history.back(),
  fix: () => one("input", screens[current]).focus(),
  change: ({ value }) => open(find("question") + Number(value)),
  scramble() {
    // Another tab may have sent already.
    body = kept()?.body || JSON.stringify({
      design: survey.design,
      submission: hex(crypto.getRandomValues(new Uint8Array(16))),
      reports: hex(questions.map(({ weights, radios }) => randomise(weights, pickedIn(radios)))),
      ...link?.fields(),
    });
    keep(false);
    lock();
    send();
  },
  retry: send,
};

// Reports, never answers; without storage, in memory.
function keep(recorded) {
  const entry = { body: link && recorded ? "" : body, recorded };
  try { localStorage[place] = JSON.stringify(entry); } catch { /* off */ }
}

function kept() {
  try { return JSON.parse(localStorage[place]); } catch { return null; }
}

function erase() {
  questions.forEach(({ screen, radios }) => {
    screen.remove();
    for (const each of radios) each.checked = false;
  });
  all("[data-picked]").forEach((cell) => { cell.textContent = ""; });
}

function lock() {
  erase();
  const { depth } = history.state;
  if (depth) history.go(-depth); // Back leaves at once
  show(find("sending"));
}

function report(state) {
  one("[data-status]").textContent = one(`[data-when=${state}]`).content.textContent;
  one("[data-go=retry]").hidden = state !== "waiting";
}

async function send() {
  clearTimeout(timer);
  report("sending");
  const state = await attempt(body);
  if (state === "recorded") return thank();
  if (link && state === "refused") return link.refuse();
  report(state);
  if (state !== "waiting") return;
  timer = setTimeout(send, wait);
  wait = Math.min(2 * wait, LONGEST_WAIT);
}

async function attempt(body) {
  try {
    const reply = await fetch(journey.dataset.reports, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      credentials: "omit",
      signal: AbortSignal.timeout(LONGEST_REPLY),
    });
    if (reply.status === 410) return "closed";
    // 408 and 429 pass.
    if (/^4(?!08|29)/.test(reply.status)) return "refused";
    return (await reply.json()).recorded === true ? "recorded" : "waiting";
  } catch {
    return "waiting";
  }
}

function thank() {
  keep(true);
  const cells = all("[data-sent]");
  JSON.parse(body).reports.match(/../g).forEach((code, index) => {
    cells[index].textContent = questions[index].reports[parseInt(code, 16)];
  });
  one("[data-body]").textContent = body;
  show(find("thanks"));
}

journey.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-go]");
  if (button) moves[button.dataset.go](button);
});
addEventListener("popstate", ({ state }) => body || show(Math.min(state?.index ?? 0, furthest)));
addEventListener("online", () => one("[data-go=retry]").hidden || send());
addEventListener("pagehide", erase);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

history.scrollRestoration = "manual";
history.replaceState({ index: 0, depth: history.state?.depth ?? 0, place }, "");
one("[data-loading]").hidden = true;
one("[data-start]").hidden = false;
if ((body = kept()?.body)) {
  lock();
  kept().recorded ? thank() : send();
}
link?.begin(attempt);
import(journey.dataset.practise).then(({ practise }) => practise(journey, survey, randomise));
