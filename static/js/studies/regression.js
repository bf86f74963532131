// Fits the regression without leaving the page, so that the file stays selected. Without
// this script the form is an ordinary one, and the file is selected again.

const form = document.getElementById("rows");

async function workOut() {
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const outcome = page.getElementById("outcome");
  if (!outcome) throw new Error("not the page that was asked for");
  document.getElementById("outcome").replaceWith(outcome);
  outcome.querySelector("[role=alert], h2[tabindex]")?.focus();
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.name) return;
  event.preventDefault();
  // Logged out meanwhile, or no connection: let the browser say so.
  workOut().catch(() => form.submit());
});
