// Shows modes server and hand one screen at a time; without this script they are one page.
// Leaving the page clears it, so that neither Back nor a restored tab shows the answers.
// Without JavaScript, no-store and autocomplete="off" have this effect.
// The script sends the form, because browsers write a form that they could not send to their
// session files. The answers stay in memory until the server has them.

const main = document.getElementById("journey");
const form = document.forms[0];
const code = document.querySelector("[data-code]");
const { address, design, query } = main.dataset;
let thanks;
const post = {
  address: address + query,
  type: "application/x-www-form-urlencoded",
  isReceipt({ ok, url }) {
    const { pathname, search } = new URL(url);
    thanks = `thanks/${search}`;
    return ok && pathname === `${address}thanks/`;
  },
};
const place = `candor ${design} submission`;

addEventListener("pagehide", () => form.reset());
// After going back to the welcome, choosing another language would lose the answers.
addEventListener("popstate", () => {
  document.querySelectorAll("[data-languages]").forEach((each) => { each.hidden = true; });
});
addEventListener("pageshow", (event) => event.persisted && location.reload());

async function start() {
  const { draw, order, conditions } = main.dataset;
  const [{ paginate, mark }, sending, links, drawn, ordering, routing] = await Promise.all([
    import(main.dataset.paging), import(main.dataset.sending),
    code && import(code.dataset.invitation), draw && import(draw), order && import(order),
    conditions && import(conditions),
  ]);
  const problem = form.querySelector("[data-mistaken]");
  // Before anything is shuffled, because radios are counted in their original order.
  const route = routing && routing.route(Array.from(form.querySelectorAll("[data-question]"),
    (screen) => ({ screen, radios: Array.from(screen.querySelectorAll("[type=radio]")) })));
  if (ordering) ordering.reorder(main);
  if (drawn) keepDraw(drawn, problem);
  const pages = paginate(main, "", links && readCode(links, mark), route);
  if (route) route.finish = () => finish(pages);
  const screens = Array.from(form.querySelectorAll("[data-screen]"));
  main.classList.add("card");
  form.noValidate = true; // browsers cannot point at fields of hidden screens
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (pages.isAt("check")) send(sending, pages, links, route);
    else pages.next(); // Enter in a screen
  });
  document.querySelectorAll("[data-unscripted]").forEach((each) => { each.hidden = true; });
  document.querySelectorAll("[data-paged]").forEach((each) => { each.hidden = false; });
  screens.slice(1).forEach((screen) => { screen.hidden = true; });
  if (problem) showMistake(problem, pages, screens);
}

// A reload empties the form, and the respondent answers again. The form is sent with the id
// of the first form: its reply may have been lost, and the server stores only one of them.
async function send(sending, pages, links, route) {
  const { submission } = form.elements;
  let before = "";
  try {
    before = sessionStorage[place] || "";
    sessionStorage[place] = submission.value = before || submission.value;
  } catch (error) { /* storage is off */ }
  if (route) route.declare();
  const fields = new URLSearchParams(new FormData(form));
  fields.sort(); // by name, so that a random order of questions is not disclosed
  const body = String(fields);
  form.reset();
  form.remove();
  pages.end("sending");
  const end = await sending.deliver(main, post, body, Boolean(before));
  try { sessionStorage.removeItem(place); } catch (error) { /* storage is off */ }
  if (end.state === "recorded") return location.replace(thanks);
  if (links && end.state === "refused" && !end.isUnsure) return links.refuse();
  sending.showEnd(main, pages, end);
}

// An answer ends the survey: nothing is sent.
function finish(pages) {
  form.reset();
  form.remove();
  pages.end("screened");
}

// The server draws with every page; the first draw in a tab stays. A form that is returned
// with errors has the draw with which it was sent.
function keepDraw({ once, arrange }, isMistaken) {
  const { draw } = form.elements;
  draw.value = once(
    `candor ${design}`, () => draw.value, (kept) => !isMistaken && kept.length === draw.value.length
  );
  arrange(draw.value.split(":")[0]);
}

function showMistake(problem, pages, screens) {
  const wrong = form.querySelector("[aria-invalid]");
  const screen = wrong ? wrong.closest("[data-screen]") : screens[0];
  pages.show(screens.indexOf(screen));
  screen.insertBefore(problem, screen.firstChild);
  problem.querySelector("ul").remove(); // its links lead to hidden screens
  problem.focus();
}

// A one-time link contains its code after the #, so respondents need not type it. If the
// code is mistyped or belongs to another survey, the page says so before anything is sent.
// Returns a function that returns the promise of the check.
function readCode({ written, readToken, fits }, mark) {
  const input = code.querySelector("input"), error = code.querySelector(".error");

  let checked;

  // Invalid until checked, so that pressing Enter at once cannot skip the check.
  async function checkCode() {
    const typed = input.value, token = readToken(typed.trim());
    input.setCustomValidity(error.textContent.trim());
    const isOurs = Boolean(token) && await fits(token, code.dataset.design);
    if (isOurs && input.value === typed) accept();
    return isOurs;
  }

  function accept() {
    input.setCustomValidity("");
    mark(code, true);
  }

  if (!input.value) input.value = written;
  document.querySelectorAll("[data-languages] a").forEach((each) => { each.hash = written; });
  checked = checkCode().then((isOurs) => {
    code.hidden = isOurs;
    mark(code, isOurs || !input.value);
  });
  input.addEventListener("input", () => {
    mark(code, true); // no error while the respondent types
    checked = checkCode();
  });
  input.addEventListener("change", () => mark(code, !input.value || input.checkValidity()));
  return () => checked;
}

start();
