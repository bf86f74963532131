// A button for those who do not know the keys; without JavaScript the menu prints too.
const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
