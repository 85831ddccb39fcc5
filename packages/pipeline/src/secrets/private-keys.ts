import type { FoundSecret } from './found-secret.ts';

const BEGIN = /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,4})PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END_LINE = /PRIVATE KEY(?: BLOCK)?-----$/;
/** A key is longer than its header; a key of 16,384 bits has 13 KB. */
const MAX_KEY = 16_384;
/** The text of a key: base64, the headers of older files, and line ends as JSON writes them. */
const BODY = /[A-Za-z0-9+/=\s\\:,.()<>@-]/;
const BASE64_RUN = /[A-Za-z0-9+/]{24}/;
/** So much after the header decides whether a key follows. */
const LOOK = 600;
const PUTTY = /PuTTY-User-Key-File-[23]: /g;
const PUTTY_KEY = /Private-Lines: \d{1,4}\r?\n(?:[A-Za-z0-9+/=]{1,64}\r?\n?){1,300}/g;

/**
 * Private keys: PEM of every kind (RFC 7468: PKCS #1, PKCS #8, SEC 1, DSA, encrypted), OpenSSH, PGP
 * (RFC 9580) and PuTTY. The key goes to its end line, or as far as there is text of a key; an end
 * line whose beginning is not there counts from where its text begins.
 */
export function findPrivateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  if (text.includes('PRIVATE KEY')) findPem(text, found);
  if (text.includes('PuTTY-User-Key-File-')) findPutty(text, found);
  return found;
}

function findPem(text: string, found: FoundSecret[]): void {
  let covered = 0;
  for (const match of text.matchAll(BEGIN)) {
    const start = match.index;
    if (start < covered) continue;
    const bodyStart = start + match[0].length;
    const end = endOfKey(text, start, bodyStart);
    covered = end;
    const body = text.slice(bodyStart, Math.min(end, bodyStart + LOOK));
    if (!BASE64_RUN.test(body)) continue;
    found.push(keyOf(start, end, (match[1] ?? '').trim()));
  }
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length;
    if (end <= covered || match.index < covered) continue;
    const start = startOfBody(text, match.index, covered);
    if (BASE64_RUN.test(text.slice(start, start + LOOK))) found.push(keyOf(start, end, ''));
    covered = end;
  }
}

function keyOf(start: number, end: number, kind: string): FoundSecret {
  const reason = kind === '' ? 'private key' : `private key (${kind})`;
  return { type: 'private_key', start, end, score: 0.99, reason };
}

/**
 * Where a key ends: behind its end line, or, where there is none within reach, with the last sign that
 * a key has.
 *
 * @param start where the key begins
 * @param from a place within the key from where its end is looked for
 */
export function endOfKey(text: string, start: number, from: number): number {
  const limit = Math.min(text.length, start + MAX_KEY);
  const rest = text.slice(from, limit);
  END.lastIndex = 0;
  const match = END.exec(rest);
  END.lastIndex = 0;
  if (match !== null) return from + match.index + match[0].length;
  let end = from;
  while (end < limit && BODY.test(text.charAt(end))) end++;
  return end;
}

/** Whether a key has its end line. */
export function hasEnd(key: string): boolean {
  return END_LINE.test(key);
}

function startOfBody(text: string, from: number, least: number): number {
  let start = from;
  while (start > least && /[A-Za-z0-9+/=\s]/.test(text.charAt(start - 1))) start--;
  return start;
}

function findPutty(text: string, found: FoundSecret[]): void {
  PUTTY.lastIndex = 0;
  if (!PUTTY.test(text)) return;
  for (const match of text.matchAll(PUTTY_KEY)) {
    found.push(keyOf(match.index, match.index + match[0].length, 'PuTTY'));
  }
}
