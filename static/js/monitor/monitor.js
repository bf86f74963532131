// Fetches new numbers while the page is visible.

const monitor = document.querySelector("[data-monitor]");
const wait = monitor.dataset.seconds * 1000;
let last = Date.now();
let timer = 0;

function show({ texts, values, ends }) {
  for (const element of monitor.querySelectorAll("[data-live]")) {
    const text = texts[element.dataset.live];
    // Unchanged texts are not set: screen readers would repeat them.
    if (text !== undefined && element.textContent.trim() !== text) element.textContent = text;
  }
  for (const bar of monitor.querySelectorAll("[data-bar]")) {
    bar.max = ends[bar.dataset.bar];
    bar.value = values[bar.dataset.bar];
  }
}

async function look() {
  last = Date.now();
  let answer;
  try {
    answer = await fetch(monitor.dataset.monitor, { redirect: "manual" });
  } catch {
    return true; // Offline: the numbers stay, and we look again.
  }
  // Logged out, or without access: another request would change nothing.
  if (!answer.ok) return answer.status >= 500;
  const numbers = await answer.json();
  show(numbers);
  return numbers.open;
}

async function lookAndWait() {
  if (await look()) plan(wait);
  else stop();
}

function plan(delay) {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(lookAndWait, Math.max(0, delay));
}

function goOnOrPause() {
  plan(last + wait - Date.now());
}

function stop() {
  clearTimeout(timer);
  document.removeEventListener("visibilitychange", goOnOrPause);
  document.querySelector("[data-watching]").hidden = true;
}

document.querySelector("[data-watching]").hidden = false;
document.addEventListener("visibilitychange", goOnOrPause);
plan(wait);
