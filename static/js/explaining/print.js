// A print button; without JavaScript the menu of the browser prints.
const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
