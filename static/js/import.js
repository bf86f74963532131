// Checks the files without leaving the page, so that the browser keeps them chosen.
// Importing itself is an ordinary form: the server checks all of it once more.

const form = document.getElementById("import");
const wait = form.querySelector("[data-wait]");

function show(outcome) {
  document.getElementById("outcome").replaceWith(outcome);
  outcome.querySelector("[tabindex]")?.focus();
}

async function check() {
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const outcome = page.getElementById("outcome");
  if (!outcome) throw new Error("not the page that was asked for");
  show(outcome);
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.name === "checked") return;
  event.preventDefault();
  wait.hidden = false;
  // Logged out meanwhile, or no connection: let the browser say so.
  check()
    .catch(() => form.submit())
    .finally(() => { wait.hidden = true; });
});

// What was found out about other files is no longer true.
form.addEventListener("change", () => document.getElementById("outcome").replaceChildren());
