// A test may be answered any number of times, in two frames at once. So this deletes what
// respond.js stores for a survey: when the page is opened or left, and when another frame
// has stored something.
const { design } = JSON.parse(document.getElementById("survey").textContent);

function forget() {
  try {
    localStorage.removeItem(`candor ${design}`);
    sessionStorage.removeItem(`candor ${design}`);
  } catch (error) { /* storage is off */ }
}

forget();
addEventListener("storage", forget);
addEventListener("pagehide", forget);
