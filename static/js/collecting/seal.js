// Seals reports for the key holder, who alone can open them: HPKE (RFC 9180), base mode,
// with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM, by the browser's Web Crypto.

const CURVE = { name: "ECDH", namedCurve: "P-256" };
const KEM = [75, 69, 77, 0, 16]; // "KEM" and the number of the KEM
const SUITE = [72, 80, 75, 69, 0, 16, 0, 1, 0, 1]; // "HPKE" and the numbers of all three
const EMPTY = new Uint8Array(32); // as HMAC pads an empty key, which browsers refuse

const text = (words) => new TextEncoder().encode(words);
const join = (...parts) => Uint8Array.from([].concat(...parts.map((each) => Array.from(each))));

// Old browsers, and pages without https, cannot.
export const canSeal = () => Boolean(crypto.subtle);

async function hmac(key, message) {
  const kind = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", key, kind, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

const extract = (suite, salt, label, secret) => hmac(
  salt, join(text("HPKE-v1"), suite, text(label), secret)
);

// One block of HKDF suffices: at most 32 bytes are needed.
const expand = async (suite, secret, label, info, length) => (await hmac(
  secret, join([0, length], text("HPKE-v1"), suite, text(label), info, [1])
)).slice(0, length);

// The cipher that both sides agree on: `own` is a private key, `other` the public key of the
// other side, `enc` the sender's public key and `point` the holder's, in bytes.
export async function agree(own, other, enc, point, info) {
  const dh = await crypto.subtle.deriveBits({ name: "ECDH", public: other }, own, 256);
  const prk = await extract(KEM, EMPTY, "eae_prk", new Uint8Array(dh));
  const shared = await expand(KEM, prk, "shared_secret", join(enc, point), 32);
  const context = join(
    [0], await extract(SUITE, EMPTY, "psk_id_hash", []),
    await extract(SUITE, EMPTY, "info_hash", info)
  );
  const secret = await extract(SUITE, shared, "secret", []);
  const key = await expand(SUITE, secret, "key", context, 16);
  return {
    key: await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]),
    iv: await expand(SUITE, secret, "base_nonce", context, 12),
  };
}

// In hexadecimal digits, as respond.js sends them: one length for all answers.
export async function sealReports(message, { holder, design }) {
  const bytes = (digits) => Uint8Array.from(digits.match(/../g), (each) => parseInt(each, 16));
  const sealed = await seal(bytes(holder), text(design), bytes(message.reports));
  message.reports = Array.from(sealed, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Only tests pass a pair and additional data.
export async function seal(point, info, message, pair, additionalData = EMPTY.slice(32)) {
  const { subtle } = crypto;
  const { privateKey, publicKey } = pair || await subtle.generateKey(CURVE, true, ["deriveBits"]);
  const enc = new Uint8Array(await subtle.exportKey("raw", publicKey));
  const other = await subtle.importKey("raw", point, CURVE, false, []);
  const { key, iv } = await agree(privateKey, other, enc, point, info);
  const cipher = { name: "AES-GCM", iv, additionalData };
  return join(enc, new Uint8Array(await subtle.encrypt(cipher, key, message)));
}
