// A test may be answered as often as one likes, in two frames at once. So this browser
// forgets what the journey keeps for a survey: when the page is opened, when it is left,
// and when another frame has kept something.
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
