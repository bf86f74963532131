// "Leave this page", also by Escape three times: the page is emptied at once, this browser
// forgets reports that are not sent yet and that it took part, the page's entries in the
// history of this tab give way, and a neutral address opens.

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
  // Screens that lie ahead of the first entry go when something is opened from there.
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
  // Back then comes to an address that leads on to the neutral one.
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
