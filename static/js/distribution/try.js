// Keeps the number of test answers up to date: after a frame or another tab of this
// browser has sent one, fetches this page again and copies the number.

const shown = document.querySelector("[data-responses]");

async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.querySelector("[data-responses]");
  // Missing if a colleague has opened the survey or ended the test meanwhile.
  if (now) shown.replaceChildren(...now.childNodes);
}

// Mode browser: what the journey keeps when its reports were received.
addEventListener("storage", ({ key, newValue }) => {
  if (key?.startsWith("candor ") && newValue?.includes('"recorded":true')) refresh();
});

// The plain forms: the page of thanks.
for (const frame of document.querySelectorAll("iframe")) {
  frame.addEventListener("load", () => {
    if (frame.contentWindow.location.pathname.endsWith("/thanks/")) refresh();
  });
}
