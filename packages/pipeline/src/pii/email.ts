import { loadValidator } from '../libraries.ts';
import type { Candidate } from './candidate.ts';

const LOCAL_CHAR = /[\p{L}\p{N}._%+&'*=?^{|}~!#$-]/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,24}|xn--[a-z\d-]{2,59})/iu;
const SPELLED =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64} ?[[({] ?at ?[\])}] ?[\p{L}\p{N}-]{1,63}(?: ?(?:\.|[[({] ?dot ?[\])}]) ?[\p{L}\p{N}-]{1,63}){1,5}/giu;
const MAX_LOCAL = 64;
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
  if (/[[({] ?at ?[\])}]/i.test(text)) findSpelled(text, found);
  return found;
}

function addressAround(text: string, at: number): Candidate | undefined {
  const domain = DOMAIN.exec(text.slice(at + 1, at + 256))?.[0];
  if (domain === undefined) return undefined;
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && LOCAL_CHAR.test(text.charAt(start - 1))) start--;
  while (start < at && /[.'&*=?^{|}~!#$%+-]/.test(text.charAt(start))) start++;
  start = afterAssignment(text, start, at);
  const end = at + 1 + domain.length;
  if (start === at || isUserInfo(text, start) || isRepository(text, start, end)) return undefined;
  if (FILE_ENDINGS.has(domain.slice(domain.lastIndexOf('.') + 1).toLowerCase())) return undefined;
  if (!loadValidator('isEmail')(text.slice(start, end), { allow_utf8_local_part: true }))
    return undefined;
  return { type: 'email', start, end, score: 0.98, reason: 'well-formed e-mail address' };
}

// `user=jane@host` and `to|jane@host`: these signs are legal in a local part, yet nobody has them there.
function afterAssignment(text: string, start: number, at: number): number {
  const local = text.slice(start, at);
  const cut = Math.max(...[...'=|&?{}'].map((sign) => local.lastIndexOf(sign)));
  return start + cut + 1;
}

/** `scheme://user:secret@host`: the part before the @ belongs to a URL. */
function isUserInfo(text: string, start: number): boolean {
  return /\/\/[^\s/@]{0,64}$/.test(text.slice(Math.max(0, start - 68), start));
}

/** `git@host:owner/name`. */
function isRepository(text: string, start: number, end: number): boolean {
  return text.startsWith('git@', start) && text.charAt(end) === ':';
}

function findSpelled(text: string, found: Candidate[]): void {
  for (const match of text.matchAll(SPELLED)) {
    const plain = match[0]
      .replace(/ ?[[({] ?at ?[\])}] ?/i, '@')
      .replace(/ ?[[({] ?dot ?[\])}] ?/gi, '.')
      .replaceAll(' ', '');
    if (!loadValidator('isEmail')(plain)) continue;
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
