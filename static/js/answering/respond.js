// Only the radios ever hold a true answer. Without name and form, no browser sends,
// restores or fills them. Scrambling removes them; then every send, retry, reload and tab
// repeats the same bytes. docs/administrators/browsers.md says which browsers this is written for.

const journey = document.getElementById("journey");
const survey = JSON.parse(document.getElementById("survey").textContent);
const { invitation, draw } = journey.dataset;
const LONGEST_WAIT = 60000, LONGEST_REPLY = 30000; // ms

const one = (selector, parent = journey) => parent.querySelector(selector);
const all = (selector, parent = journey) => Array.from(parent.querySelectorAll(selector));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const pickedIn = (radios) => radios.findIndex((radio) => radio.checked);
const questions = all("[data-screen=question]").map((screen, index) => {
  const radios = all("input", screen);
  join(radios);
  return Object.assign({ screen, radios }, survey.tables[survey.questions[index]]);
});

let randomise, pages, link; // of the other modules
let place; // where this browser keeps what it sends
let body; // fixed before its first byte leaves
let timer, wait = 2000;
let isUnsure = false; // an earlier try may have arrived, and only its reply was lost

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
      const next = radios[(index + step + radios.length) % radios.length];
      pick(next);
      next.focus();
    });
  });
}

const moves = {
  scramble() {
    // Another tab has sent already: nothing is drawn, and a reload says how it went.
    if (kept()) return location.reload();
    body = drawn();
    keep({ body });
    erase();
    pages.end("sending");
    send();
  },
  retry: send,
  forget() {
    forget();
    one("[data-kept]").hidden = true;
    one("[data-forgotten]").hidden = false;
    one("[data-forgotten]").focus();
  },
};

function drawn() {
  const message = {
    design: survey.design,
    submission: hex(crypto.getRandomValues(new Uint8Array(16))),
    reports: hex(questions.map(({ weights, radios, isLeftOut }) =>
      isLeftOut ? 255 : randomise(weights, pickedIn(radios)))),
  };
  return JSON.stringify(Object.assign(message, link && link.fields()));
}

// Reports, never answers, and no longer than until they are received; without storage,
// in memory.
function keep(entry) {
  try {
    localStorage[place] = JSON.stringify(entry);
    sessionStorage.removeItem(place);
  } catch (error) { /* off */ }
}

function kept() {
  try { return JSON.parse(localStorage[place]); } catch (error) { return null; }
}

function forget() {
  try { localStorage.removeItem(place); } catch (error) { /* off */ }
}

function erase() {
  questions.forEach(({ screen, radios }) => {
    screen.remove();
    radios.forEach((radio) => { radio.checked = false; });
  });
  all("[data-picked]").forEach((cell) => { cell.textContent = ""; });
}

function resume(before) {
  body = before.body;
  erase();
  pages.end(before.recorded ? "thanks" : "sending");
  one("[data-kept]").hidden = !before.recorded;
  isUnsure = true;
  if (!before.recorded) send();
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
  if (state === "waiting") {
    isUnsure = true;
    report(state);
    timer = setTimeout(send, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
    return;
  }
  // It will never be taken: nobody needs it any more.
  forget();
  if (link && state === "refused" && !isUnsure) return link.refuse();
  one("[data-unsure]", one(`[data-screen=${state}]`)).hidden = !isUnsure;
  one("[data-sure]", one(`[data-screen=${state}]`)).hidden = isUnsure;
  pages.show(pages.find(state));
}

async function attempt(message) {
  const clock = new AbortController();
  const alarm = setTimeout(() => clock.abort(), LONGEST_REPLY);
  try {
    const reply = await fetch(journey.dataset.reports, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: message,
      credentials: "omit",
      signal: clock.signal,
    });
    if (reply.status === 410) return "closed";
    // 408 and 429 pass.
    if (/^4(?!08|29)/.test(reply.status)) return "refused";
    return (await reply.json()).recorded === true ? "recorded" : "waiting";
  } catch (error) {
    return "waiting";
  } finally {
    clearTimeout(alarm);
  }
}

function thank() {
  keep({ recorded: true });
  one("[data-kept]").hidden = !kept();
  const cells = all("[data-sent]");
  JSON.parse(body).reports.match(/../g).forEach((code, index) => {
    cells[index].textContent = questions[index].reports[parseInt(code, 16)] || cells[index].textContent;
  });
  one("[data-body]").textContent = body;
  one("[data-message]").hidden = false;
  pages.show(pages.find("thanks"));
}

async function start() {
  const { paging, practise } = journey.dataset;
  const [drawing, turning, links, practising, drawn] = await Promise.all([
    import(journey.dataset.randomise), import(paging), invitation && import(invitation),
    import(practise), draw && import(draw),
  ]);
  randomise = drawing.randomise;
  link = links && await links.take(survey.design);
  place = link && link.place || `candor ${survey.design}`;
  const before = kept();
  if (drawn && !before) drawn.leaveOut(survey, questions, place, drawing.uniformBelow);
  pages = turning.paginate(journey, place);
  journey.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-go]");
    if (button && moves[button.dataset.go]) moves[button.dataset.go](button);
  });
  addEventListener("online", () => one("[data-go=retry]").hidden || send());
  addEventListener("pagehide", erase);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  one("[data-loading]").hidden = true;
  all("[data-ready]").forEach((each) => { each.hidden = false; });
  if (before && !(link && before.recorded)) resume(before);
  if (link) link.begin(attempt);
  practising.practise(journey, survey, randomise);
}

start();
