// Modes server and hand: a page that has been left is empty. Neither Back nor a restored
// tab shows what was picked. Without JavaScript, no-store and autocomplete="off" do it.
addEventListener("pagehide", () => document.querySelector("form")?.reset());
addEventListener("pageshow", (event) => event.persisted && location.reload());

// A one-time link brings its code behind the #: nobody has to type it.
const code = document.querySelector("[data-code]");
if (code) {
  const input = code.querySelector("input");
  input.value ||= location.hash.slice(1, input.maxLength + 1);
  code.hidden = input.checkValidity();
  history.replaceState(null, "", location.pathname);
  addEventListener("hashchange", () => location.reload());
}
