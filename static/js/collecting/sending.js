// Sends one message until the server stores or finally refuses it. Every attempt sends the
// same bytes, so the server stores them once.

const LONGEST_WAIT = 60000, LONGEST_REPLY = 30000; // ms

// Returns "recorded", "closed", "refused", or "waiting" if the bytes may be sent again.
export async function attempt({ address, type, isReceipt }, body) {
  const clock = new AbortController();
  const alarm = setTimeout(() => clock.abort(), LONGEST_REPLY);
  try {
    const reply = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": type },
      body,
      credentials: "omit",
      signal: clock.signal,
    });
    if (reply.status === 410) return "closed";
    // 408 and 429 are temporary.
    if (/^4(?!08|29)/.test(reply.status)) return "refused";
    return (await isReceipt(reply)) ? "recorded" : "waiting";
  } catch (error) {
    return "waiting";
  } finally {
    clearTimeout(alarm);
  }
}

// `isUnsure`: an earlier attempt may have arrived, and only its reply was lost.
export async function deliver(root, post, body, isUnsure) {
  const one = (selector) => root.querySelector(selector);
  const retry = one("[data-go=retry]");
  let wait = 2000, state, resume;

  const report = () => {
    one("[data-status]").textContent = one(`[data-when=${state}]`).content.textContent;
    retry.hidden = state !== "waiting";
  };

  retry.addEventListener("click", () => resume());
  addEventListener("online", () => resume && resume());
  for (;;) {
    state = "sending";
    report();
    state = await attempt(post, body);
    if (state !== "waiting") return { state, isUnsure };
    isUnsure = true;
    report();
    await new Promise((resolve) => setTimeout(resume = resolve, wait));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }
}

// Shows that the survey has closed, or that the message was refused.
export function showEnd(root, pages, { state, isUnsure }) {
  const screen = root.querySelector(`[data-screen=${state}]`);
  screen.querySelector("[data-unsure]").hidden = !isUnsure;
  screen.querySelector("[data-sure]").hidden = isUnsure;
  pages.show(pages.find(state));
}
