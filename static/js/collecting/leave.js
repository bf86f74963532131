// "Leave this page", also by pressing Escape three times: empties the page at once, deletes
// unsent reports and the record of participation from this browser, replaces the page's
// entries in the history of this tab, and opens a neutral address.

const PRESSES = 3, WITHIN = 2000; // ms
const link = document.querySelector("[data-leave]");
let pressed = [];

function leave() {
  document.querySelectorAll("form").forEach((form) => form.reset());
  document.body.textContent = "";
  document.title = "";
  forget();
  addEventListener("pagehide", forget); // a reply may come meanwhile
  const depth = history.state && history.state.depth;
  if (!depth) return open();
  // Opening an address from the first entry removes all later entries.
  addEventListener("popstate", open);
  history.go(-depth);
}

function forget() {
  try {
    sessionStorage.clear();
    for (const place of Object.keys(localStorage)) {
      if (place.startsWith("candor ")) localStorage.removeItem(place);
    }
  } catch (error) { /* storage is switched off */ }
}

function open() {
  document.title = "";
  // Back then opens an address that redirects to the neutral one.
  history.replaceState(null, "", link.href);
  location.assign(link.dataset.leave);
}

link.addEventListener("click", (event) => {
  event.preventDefault();
  leave();
});
addEventListener("keydown", ({ key, timeStamp }) => {
  if (key !== "Escape") return;
  pressed = pressed.filter((time) => timeStamp - time < WITHIN);
  pressed.push(timeStamp);
  if (pressed.length === PRESSES) leave();
});
