// A double click is one press: the second would send the form once more, take a survey out
// of the archive again, or make two copies.

const DOUBLE = 1000; // milliseconds; longer ago is a second thought

const sent = new WeakMap();

document.addEventListener("submit", (event) => {
  const button = event.submitter ?? event.target;
  if (event.defaultPrevented) {
    return;
  }
  if (event.timeStamp - sent.get(button) < DOUBLE) {
    event.preventDefault();
  } else {
    sent.set(button, event.timeStamp);
  }
});
