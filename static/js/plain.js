// Modes server and hand: a page that has been left is empty. Neither Back nor a restored
// tab shows what was picked. Without JavaScript, no-store and autocomplete="off" do it.
addEventListener("pagehide", () => document.querySelector("form")?.reset());
addEventListener("pageshow", (event) => event.persisted && location.reload());
