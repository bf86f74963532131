// Shows one step of the draft at a time. All steps are one form: hidden ones are saved
// too. Without this script they are shown below one another.

const panes = [...document.querySelectorAll("[data-step]")];
const links = [...document.querySelectorAll("[data-step-link]")];
const checks = document.querySelector("[data-checklist]");
const form = document.querySelector("#survey_form");

const shown = () => panes.find((pane) => "shown" in pane.dataset);

function show(wanted) {
  for (const pane of panes) {
    pane.toggleAttribute("data-shown", pane === wanted);
  }
  for (const link of links) {
    if (link.hash === `#${wanted.id}`) {
      link.setAttribute("aria-current", "step");
    } else {
      link.removeAttribute("aria-current");
    }
  }
  if (wanted.contains(checks)) {
    check();
  }
}

// The server checks what is saved.
async function check() {
  try {
    const answer = await fetch(checks.dataset.address, { redirect: "error" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    checks.replaceChildren(page.querySelector("[data-checks]"));
  } catch {
    checks.replaceChildren(); // the button that opens the survey checks again
  }
}

function find(hash) {
  return document.getElementById(decodeURIComponent(hash.slice(1)));
}

function unfold(element) {
  for (let part = element; part; part = part.parentElement) {
    if (part.matches("details")) {
      part.open = true;
    }
  }
}

// After a click on a step, the focus stays on it. Coming from the previous step, it moves
// to the first input of "People", and to the link of any other step.
function begin(pane) {
  if (!links.includes(document.activeElement)) {
    const link = links.find(({ hash }) => hash === `#${pane.id}`);
    const first = pane.matches("#people") ? pane.querySelector("input:not([type=hidden])") : link;
    first.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }
}

// Follows an address to a step, or to an input in one.
function follow(hash) {
  const target = find(hash);
  const pane = target?.closest("[data-step]");
  if (!pane) {
    return false;
  }
  if (pane !== shown()) {
    show(pane);
  }
  if (target === pane) {
    begin(pane);
  } else {
    unfold(target);
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  }
  return true;
}

// A finding of the checklist leads to its input on this page, ignoring its query.
function press(event) {
  const link = event.target.closest("a[href]");
  const isHere = link?.pathname === location.pathname && find(link.hash)?.closest("[data-step]");
  if (!isHere || event.defaultPrevented || event.ctrlKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  history.pushState(null, "", link.hash);
  // Other scripts open what the address names.
  dispatchEvent(new HashChangeEvent("hashchange"));
}

// Updates the value of a setting on its line, which is visible while it is folded.
function tell({ target }) {
  const setting = target.closest("[data-setting]");
  const place = setting?.querySelector("[data-value]");
  if (place && target.name !== "holder_key") {
    place.textContent = target.type === "radio" ? target.closest("label").textContent : target.value;
  }
}

if (panes.length) {
  // Once this script chooses the step, style sheets must not choose it by :target.
  document.querySelector("[data-panes]").dataset.started = "";
  addEventListener("hashchange", () => follow(location.hash));
  addEventListener("popstate", () => follow(location.hash || `#${panes[0].id}`));
  document.addEventListener("click", press);
  form.addEventListener("input", tell);
  form.addEventListener("draft:saved", () => shown().contains(checks) && check());
  const wrong = form.querySelector("[data-step] .errors, [data-step] .errorlist");
  if (!follow(location.hash) && wrong) {
    show(wrong.closest("[data-step]"));
  }
  // The browser moves the focus again when the page has loaded.
  addEventListener("load", () => setTimeout(() => follow(location.hash)));
}
