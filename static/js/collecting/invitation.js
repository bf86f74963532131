// One-time links. The token is the part of the URL after the #, which browsers do not send.
// It is removed from the URL at once and stays in memory; from the first attempt to send
// until the server has it, it is also in the message that this browser stores.

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // base 32, after D. Crockford
const BETWEEN = /[ \u00a0\u2010-\u2015\u2212-]/g;
const WHOLE = /^[0-9A-TV-Za-tv-z]{28}$/;
const OLD = /^[A-Za-z0-9_-]{22}$/;
const PIECE = new RegExp("^[A]{0,4}(?:-[A]{4}){3,4}(?:-[A]{0,4})?$".replace(/A/g, ALPHABET));
const CHECKS = 3; // characters
const PRIME = 4294967291; // the largest below 2 ** 32

// Mail programs append dots and brackets.
export const written = location.hash.slice(1).match(/^[\w-]*/)[0];
const token = readToken(written);
// Before the page has loaded, because browsers may request the icon again if the URL
// changes later.
history.replaceState(history.state, "", location.pathname + location.search);

// readToken and fits do the same as in respondents/tokens.py.
export function readToken(text) {
  const characters = text.replace(BETWEEN, "");
  if (!WHOLE.test(characters)) return OLD.test(text) && !PIECE.test(text) ? text : "";
  const meant = characters.toLowerCase().replace(/o/g, "0").replace(/[il]/g, "1");
  return meant.match(/.{4}/g).join("-");
}

// Without https there is no SHA-256, so the server checks.
export async function fits(token, design) {
  if (OLD.test(token) || !crypto.subtle) return true;
  const characters = token.replace(/-/g, "");
  const random = characters.slice(0, -CHECKS);
  const [high, low] = await sha256(`candor one-time link ${design} ${random}`);
  const first = (high * 256 + low) >> 1;
  const check = [10, 5, 0].map((shift) => ALPHABET[(first >> shift) & 31]).join("");
  return characters.slice(-CHECKS) === check;
}

export async function take(design) {
  const isOurs = Boolean(token) && await fits(token, design);
  const fault = written ? "unknown" : "missing";
  // A reload finds its place, but no token: to send, respondents open the link again.
  const left = written || !history.state ? undefined : history.state.place;
  const place = isOurs ? await placeOf(design, token) : left;
  return {
    place,

    // Called when reports have been drawn. If another tab has used the link meanwhile, they
    // must not be sent: two sets of reports disclose more than one.
    fields() {
      if (!read(place)) return { invitation: token };
      location.reload();
      throw new Error("This link has been used in another tab.");
    },

    refuse,

    begin(attempt) {
      const before = read(place);
      if (before && before.recorded) showNotice("used");
      else if (!before && !isOurs) showNotice(fault);
      sendLeft(design, place, attempt);
    },
  };
}

// Returns the storage key of a message. Each link has its own, because people share devices,
// and it must not identify the respondent: it can be computed only from the token. Without
// https it is a remainder of 32 bits, from which the token cannot be found.
async function placeOf(design, token) {
  const name = crypto.subtle
    ? btoa(String.fromCharCode(...await sha256(design + token)))
    : [...token].reduce((sum, each) => (31 * sum + each.charCodeAt(0)) % PRIME, 0);
  return `candor ${design} ${name}`;
}

async function sha256(text) {
  const named = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", named));
}

function read(place) {
  try { return JSON.parse(localStorage[place]); } catch (error) { return null; }
}

export function refuse() {
  showNotice("unknown");
}

let hasNotice = false;

// After a notice no screen is shown. This runs before the listener that shows screens.
addEventListener("popstate", (event) => hasNotice && event.stopImmediatePropagation());

function showNotice(kind) {
  hasNotice = true;
  const notice = document.querySelector(`[data-link=${kind}]`);
  const heading = notice.querySelector("h1");
  for (const each of document.querySelectorAll("[data-screen], [data-start]")) {
    each.hidden = true;
  }
  notice.hidden = false;
  document.title = heading.textContent;
  heading.focus();
}

// Sends messages that other respondents left unsent on this device. The server stores a
// message once. Messages that are refused or too late are deleted.
async function sendLeft(design, place, attempt) {
  try {
    for (const each of Object.keys(localStorage)) {
      if (each === place || !each.startsWith(`candor ${design} `)) continue;
      const { body } = read(each), state = body ? await attempt(body) : "";
      if (state === "recorded") localStorage[each] = JSON.stringify({ recorded: true });
      else if (state === "refused" || state === "closed") localStorage.removeItem(each);
    }
  } catch (error) { /* storage is switched off */ }
}

// Opening another link of the same survey in the same tab does not load the page.
addEventListener("hashchange", () => location.reload());
