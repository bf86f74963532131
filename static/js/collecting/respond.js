// True answers exist only in radios and boxes. These have no name and no form, so browsers
// do not send, restore or fill them. Scrambling removes them; then every send, retry, reload
// and tab repeats the same bytes. Supported browsers: docs/administrators/browsers.md.

let journey = document.getElementById("journey");
let survey, questions;
const { invitation, draw, conditions, speech, seal } = journey.dataset;
const post = {
  address: journey.dataset.reports,
  type: "application/json",
  isReceipt: async (reply) => (await reply.json()).recorded === true,
};

const one = (selector, parent = journey) => parent.querySelector(selector);
const all = (selector, parent = journey) => Array.from(parent.querySelectorAll(selector));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const pickedIn = (radios) => radios.findIndex((radio) => radio.checked);

function read() {
  journey = document.getElementById("journey");
  survey = JSON.parse(document.getElementById("survey").textContent);
  questions = [];
  all("[data-screen=question]").forEach((screen) => {
    const radios = all("input", screen), isList = "ticks" in screen.dataset;
    // Each box is a separate question, answered No unless it is ticked.
    (isList ? radios.map((box) => [box, { checked: true }]) : [radios]).forEach((each) => questions.push(
      Object.assign({ screen, radios: each }, survey.tables[survey.questions[questions.length]])
    ));
  });
}

let randomise, sending, pages, link, route; // of the other modules
let place; // the storage key of the message
let body; // fixed before its first byte is sent

// Radios without a name do not form a group for selection, arrow keys and Tab; this does.
function join(radios) {
  const right = document.dir === "rtl" ? -1 : 1;
  const list = () => radios.filter((radio) => !radio.closest("label").hidden);
  const pick = (radio) => {
    radios.forEach((each) => {
      each.checked = each === radio;
      each.tabIndex = -1;
    });
    (list().includes(radio) ? radio : list()[0]).tabIndex = 0;
  };
  radios.forEach((radio, index) => {
    radio.tabIndex = index ? -1 : 0;
    radio.addEventListener("change", () => pick(radio));
    radio.addEventListener("keydown", (event) => {
      const arrow = event.key.replace("Arrow", "");
      const step = { Down: 1, Up: -1, Right: right, Left: -right }[arrow];
      if (!step) return;
      event.preventDefault();
      const shown = list();
      const next = shown[(index + step + shown.length) % shown.length];
      next.checked = true;
      next.dispatchEvent(new Event("change", { bubbles: true }));
      next.focus();
    });
  });
}

const moves = {
  async scramble() {
    // Another tab has already sent: nothing is drawn, and a reload shows the result.
    if (kept()) return location.reload();
    const message = drawn();
    erase();
    pages.end("sending");
    if (seal) await (await import(seal)).sealReports(message, survey);
    body = JSON.stringify(Object.assign(message, link && link.fields()));
    keep({ body });
    send();
  },
  forget() {
    forget();
    one("[data-kept]").hidden = true;
    one("[data-forgotten]").hidden = false;
    one("[data-forgotten]").focus();
  },
};

function drawn() {
  const answers = route ? route.answers() : questions.map(({ radios }) => pickedIn(radios));
  return {
    design: survey.design,
    submission: hex(crypto.getRandomValues(new Uint8Array(16))),
    reports: hex(questions.map(({ weights, isLeftOut }, index) =>
      isLeftOut ? 255 : randomise(weights, answers[index]))),
  };
}

// Stores reports, never answers, until they are received; without storage, they are in memory.
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
    all("[aria-pressed]", screen).forEach((each) => each.removeAttribute("aria-pressed"));
  });
  all("[data-answer]").forEach((cell) => {
    cell.textContent = "";
    cell.closest("div").hidden = false;
  });
}

// An answer ends the survey: nothing is drawn or sent.
function finish() {
  erase();
  pages.end("screened");
}

function resume(before) {
  body = before.body;
  erase();
  pages.end(before.recorded ? "thanks" : "sending");
  one("[data-kept]").hidden = !before.recorded;
  if (!before.recorded) send(true);
}

async function send(isUnsure = false) {
  const end = await sending.deliver(journey, post, body, isUnsure);
  if (end.state === "recorded") return thank();
  // The server will never accept the message.
  forget();
  if (link && end.state === "refused" && !end.isUnsure) return link.refuse();
  sending.showEnd(journey, pages, end);
}

function thank() {
  keep({ recorded: true });
  one("[data-kept]").hidden = !kept();
  const cells = all("[data-sent]");
  if (!seal) JSON.parse(body).reports.match(/../g).forEach((code, index) => {
    cells[index].textContent = questions[index].reports[parseInt(code, 16)] || cells[index].textContent;
  });
  one("[data-body]").textContent = body;
  one("[data-message]").hidden = false;
  pages.show(pages.find("thanks"));
}

async function start() {
  const { paging, practise, order } = journey.dataset;
  const [drawing, turning, sender, links, drawn, ordering, routing, speaking, sealer] = await Promise.all([
    import(journey.dataset.randomise), import(paging), import(journey.dataset.sending),
    invitation && import(invitation), draw && import(draw),
    order && import(order), conditions && import(conditions), speech && import(speech),
    seal && import(seal),
  ]);
  if (speaking) speaking.speakAsBrowser();
  read();
  if (!(self.crypto && crypto.getRandomValues && (!sealer || sealer.canSeal()))) {
    one("[data-loading]").hidden = true;
    one("[data-chanceless]").hidden = false;
    return;
  }
  randomise = drawing.randomise;
  sending = sender;
  link = links && await links.take(survey.design);
  place = link && link.place || `candor ${survey.design}`;
  const before = kept();
  const begin = () => {
    route = routing && routing.route(questions);
    if (route) route.finish = finish;
    if (ordering) ordering.reorder(journey);
    all("[role=radiogroup]").forEach((group) => join(all("input", group)));
    if (drawn && !before) drawn.leaveOut(survey, questions, place, drawing.uniformBelow);
    pages = turning.paginate(journey, place, undefined, route);
    journey.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-go]");
      if (button && moves[button.dataset.go]) moves[button.dataset.go](button);
    });
    one("[data-loading]").hidden = true;
    all("[data-ready]").forEach((each) => { each.hidden = false; });
    // The survey does not wait for this.
    import(practise).then((show) => show.practise(journey, survey, randomise), () => {});
  };
  begin();
  if (speaking) speaking.offer(() => { read(); begin(); });
  addEventListener("pagehide", erase);
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  if (before && !(link && before.recorded)) resume(before);
  if (link) link.begin((message) => sending.attempt(post, message));
}

start();
