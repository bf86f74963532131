// A closed survey takes no reports, so the browser need not keep what it sent.
try {
  const { forget } = document.querySelector("[data-forget]").dataset;
  for (const place of Object.keys(localStorage)) {
    if (place.startsWith(`candor ${forget}`)) localStorage.removeItem(place);
  }
} catch (error) { /* storage is switched off: nothing was kept */ }
