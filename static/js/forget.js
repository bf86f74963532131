// A closed survey takes no reports, so the browser need not keep what it sent.
try {
  const { forget } = document.querySelector("[data-forget]").dataset;
  localStorage.removeItem(`candor ${forget}`);
} catch { /* storage is switched off: nothing was kept */ }
