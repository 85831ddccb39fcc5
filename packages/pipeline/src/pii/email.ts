import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import { isEmail } from './validators.ts';

const LOCAL_CHAR = /[\p{L}\p{N}._%+&'*=?^{|}~!#$-]/u;
const ASCII_LOCAL: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  LOCAL_CHAR.test(String.fromCharCode(code)),
);
const NEVER_FIRST = ".'&*=?^{|}~!#$%+-";
const ASSIGNS = '=|&?{}';
const DOMAIN =
  /(?:(?:[a-z\d\u00df-\u024f](?:[a-z\d\u00df-\u024f-]{0,61}[a-z\d\u00df-\u024f])?|(?![a-z\d])[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)\.){1,8}(?:xn--[a-z\d-]{2,59}|[a-z]{2,24}|\p{L}{2,24})/iuy;
const SPELLED =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64} ?[[({] ?at ?[\])}] ?[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[[({] ?dot ?[\])}] ?)[\p{L}\p{N}-]{1,63}){1,5}/giu;
/** What every validator takes: short words of letters, digits and single dots on both sides. */
const PLAIN =
  /^[a-z\d_-]{1,30}(?:\.[a-z\d_-]{1,30})?@(?:[a-z\d](?:[a-z\d-]{0,40}[a-z\d])?\.){1,4}[a-z]{2,24}$/i;
const MAX_LOCAL = 64;
const MAIL_LABEL = /(?<!\p{L})(?:e-?mail|to|from|cc|bcc|reply-to|sender)\W{0,5}$/iu;
const MAX_LABEL = 16;
const QUOTED = /"[\w!#$%&'*+./=?^{|}~ -]{1,62}"$/;
/** From here on come the scripts of East Asia. */
const FIRST_WITHOUT_BLANKS = 0x2e80;
/** Endings of file names that look like a domain: `icon@2x.png`, `lib@1.2.min.js`. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  'png jpg jpeg gif svg webp js mjs cjs ts tsx jsx json css html txt md yaml yml zip gz tgz map'.split(
    ' ',
  ),
);

/**
 * E-mail addresses, also in the spelled form `name (at) host (dot) org`. Every `@` is looked at once,
 * with at most 64 characters to its left and 255 to its right, so the time is linear.
 */
export function findEmail(text: string): Candidate[] {
  const found: Candidate[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const candidate = addressAround(text, at);
    if (candidate !== undefined) found.push(candidate);
  }
  for (let at = text.indexOf('=40'); at >= 0; at = text.indexOf('=40', at + 1)) {
    const candidate = quotedPrintableAround(text, at);
    if (candidate !== undefined) found.push(candidate);
  }
  if (/[[({] ?at ?[\])}]/i.test(text)) findSpelled(text, found);
  return found;
}

function addressAround(text: string, at: number): Candidate | undefined {
  const end = endOfDomain(text, at + 1);
  if (end === undefined) return undefined;
  const start = quotedStart(text, at) ?? plainStart(text, at);
  if (start === at || isUserInfo(text, start) || isRepository(text, start, end)) return undefined;
  if (FILE_ENDINGS.has(text.slice(text.lastIndexOf('.', end - 1) + 1, end).toLowerCase())) {
    return undefined;
  }
  const value = text.slice(start, end);
  if (!PLAIN.test(value) && !isEmail(value, { allow_utf8_local_part: true })) {
    return undefined;
  }
  return { type: 'email', start, end, score: 0.98, reason: 'well-formed e-mail address' };
}

/** `jane.roe=40host.org`: the `@` of quoted-printable text; in code `=40` follows a name and precedes a unit. */
function quotedPrintableAround(text: string, at: number): Candidate | undefined {
  const end = endOfDomain(text, at + '=40'.length);
  if (end === undefined) return undefined;
  const start = plainStart(text, at);
  const local = text.slice(start, at);
  const isNamed = MAIL_LABEL.test(text.slice(Math.max(0, start - MAX_LABEL), start));
  if (!isNamed && !local.includes('.')) return undefined;
  if (!PLAIN.test(`${local}@${text.slice(at + '=40'.length, end)}`)) return undefined;
  const reason = 'e-mail address in quoted-printable text';
  return { type: 'email', start, end, score: 0.9, reason };
}

function plainStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && isLocalChar(text, start - 1)) start--;
  start = afterSentence(text, afterAssignment(text, start, at), at);
  while (start < at && NEVER_FIRST.includes(text.charAt(start))) start++;
  return start;
}

/** `"jane doe"@host`: a local part in quotation marks (RFC 5321, section 4.1.2). */
function quotedStart(text: string, at: number): number | undefined {
  if (text.charAt(at - 1) !== '"') return undefined;
  const quoted = QUOTED.exec(text.slice(Math.max(0, at - MAX_LOCAL), at));
  return quoted === null ? undefined : at - quoted[0].length;
}

function endOfDomain(text: string, start: number): number | undefined {
  DOMAIN.lastIndex = start;
  return DOMAIN.test(text) ? Math.min(DOMAIN.lastIndex, start + 255) : undefined;
}

function isLocalChar(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? ASCII_LOCAL[code] === true : LOCAL_CHAR.test(text.charAt(at));
}

// `user=jane@host` and `to|jane@host`: these signs are legal in a local part, yet no real address has them there.
function afterAssignment(text: string, start: number, at: number): number {
  let from = at;
  while (from > start && !ASSIGNS.includes(text.charAt(from - 1))) from--;
  return from;
}

/** In Chinese and Japanese an address follows the words before it without a blank. */
function afterSentence(text: string, start: number, at: number): number {
  if (text.charCodeAt(at - 1) >= FIRST_WITHOUT_BLANKS) return start;
  let from = at;
  while (from > start && text.charCodeAt(from - 1) < FIRST_WITHOUT_BLANKS) from--;
  return from;
}

/** `scheme://user:secret@host`: the part before the @ belongs to a URL. */
function isUserInfo(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 68), start);
  return before.includes('//') && /\/\/[^\s/@]{0,64}$/.test(before);
}

/** `git@host:owner/name`. */
function isRepository(text: string, start: number, end: number): boolean {
  return text.startsWith('git@', start) && text.charAt(end) === ':';
}

function findSpelled(text: string, found: Candidate[]): void {
  for (const match of allMatches(text, SPELLED)) {
    const plain = match[0]
      .replace(/ ?[[({] ?at ?[\])}] ?/i, '@')
      .replace(/ ?[[({] ?dot ?[\])}] ?/gi, '.')
      .replaceAll(' ', '');
    if (!isEmail(plain)) continue;
    const end = match.index + match[0].length;
    found.push({
      type: 'email',
      start: match.index,
      end,
      score: 0.9,
      reason: 'spelled-out e-mail address',
    });
  }
}
