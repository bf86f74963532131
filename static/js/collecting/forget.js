// A closed survey takes no reports, so the browser need not keep what it sent; after a form
// was sent, not which questions were drawn for it.
try {
  const { forget } = document.querySelector("[data-forget]").dataset;
  for (const storage of [localStorage, sessionStorage]) {
    for (const place of Object.keys(storage)) {
      if (place.startsWith(`candor ${forget}`)) storage.removeItem(place);
    }
  }
} catch (error) { /* storage is switched off: nothing was kept */ }
