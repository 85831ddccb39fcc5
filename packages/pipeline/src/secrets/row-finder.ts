import type { FoundSecret } from './found-secret.ts';
import { isPlaceholder, isSequence, looksRandom } from './placeholders.ts';
import type { InnerRow, NamedRow, PrefixedRow } from './secret-row.ts';
import { isForTests } from './vendors/payments.ts';

/** Confidence by what is known of a value. */
const SCORE = {
  checked: 0.99,
  form: 0.95,
  named: 0.85,
  test: 0.7,
  wrongCheck: 0.6,
  documented: 0.5,
};
/** What may stand between the name of a vendor and the value, at most, and the sign right before it. */
const BETWEEN = '[^;]{0,48}?[\\s"\'`=:]';
const NOT_AFTER = '(?![A-Za-z0-9])';
/** A value that a name announces is whole: it is no part of a longer run of base64 or of words. */
const NOT_JOINED = '(?!=|[+/_-]?[A-Za-z0-9])';
/** What makes a value behind the name of a vendor a credential: a word for one, or that a call is given it. */
const CREDENTIAL =
  /key|token|secret|auth|pass|pwd|cred|login|client|bearer|ssws|(?<![a-z])(?:api|sig)(?![a-z])|\(\s*["'`]/i;
/** Names right before a value that lock files and manifests give to digests, versions and public identifiers. */
const DIGEST_OR_ID =
  /(?:rev(?:ision)?|ref(?:erence)?|commit|sha-?\d{0,3}|hash|checksum|digest|integrity|h1|md5|etag|id)["'`]?\s*(?:=>|[=:])?\s*["'`]?$/i;
/** Words of credentials that are written onto a name without a sign between. */
const JOINED_WORD = /(?:api|app|access|auth|admin|client|account|key|token|secret|pass|pwd)/iy;
const ASCII = 128;
const SLASH = 0x2f;
const PLUS = 0x2b;
/** No path or word is this long without another sign. */
const BASE64_RUN = 40;
const NONE: readonly Opening[] = [];

interface Opening {
  /** What stands here; lower case where the case does not matter. */
  readonly literal: string;
  readonly named: boolean;
  readonly find: (text: string, at: number) => FoundSecret | undefined;
}

/** The rows to try where two signs stand: literals that open a word, and those within a value. */
interface Place {
  readonly openings: Opening[];
  readonly insides: ((text: string, at: number) => FoundSecret | undefined)[];
}

/**
 * Compiles rows into a function that finds their values in a text in one walk: only the rows whose
 * first two signs stand at a place are tried there, those that open a value only where a word begins.
 * Every expression is tried at one place at a time and is bounded in length, so that time is linear in
 * the text.
 */
export function createRowFinder(
  prefixed: readonly PrefixedRow[],
  named: readonly NamedRow[],
  inner: readonly InnerRow[],
): (text: string) => FoundSecret[] {
  const places = compile(prefixed, named, inner);
  return (text) => findRows(text, places);
}

function findRows(text: string, places: readonly (Place | undefined)[]): FoundSecret[] {
  const found: FoundSecret[] = [];
  const last = text.length - 1;
  let before = 0;
  let code = text.charCodeAt(0);
  let lower = '';
  for (let at = 0; at < last; at++) {
    const next = text.charCodeAt(at + 1);
    const here = code < ASCII && next < ASCII ? places[code * ASCII + next] : undefined;
    if (here !== undefined) {
      for (const find of here.insides) add(find(text, at), found);
      const openings = mayBegin(text, at, before, code) ? here.openings : NONE;
      for (const opening of openings) {
        if (opening.named) lower ||= text.toLowerCase();
        else if (isJoined(before)) continue;
        // Lower case may change the length of a text that is not ASCII.
        const source = opening.named && lower.length === text.length ? lower : text;
        if (source.startsWith(opening.literal, at)) add(opening.find(text, at), found);
      }
    }
    before = code;
    code = next;
  }
  return found;
}

function add(secret: FoundSecret | undefined, found: FoundSecret[]): void {
  if (secret !== undefined) found.push(secret);
}

/** A word begins after no letter or digit, at a capital within `camelCase`, and after an escaped line end. */
function mayBegin(text: string, at: number, before: number, code: number): boolean {
  if (!isAlphanumeric(before)) return true;
  if (code >= 0x41 && code <= 0x5a && before >= 0x61) return true;
  return (
    (before === 0x6e || before === 0x72 || before === 0x74) && text.charCodeAt(at - 2) === 0x5c
  );
}

/** A hyphen or underscore: what follows is a part of a longer value, though it may be a name. */
function isJoined(code: number): boolean {
  return code === 0x2d || code === 0x5f;
}

function isAlphanumeric(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a)
  );
}

/** Whether a value is a piece of a longer run of base64, where any row of letters turns up by chance. */
function isInsideBase64(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (before === SLASH || before === PLUS) {
    let from = start - 1;
    while (from > start - BASE64_RUN && isBase64(text.charCodeAt(from - 1))) from--;
    if (from <= start - BASE64_RUN) return true;
  }
  if (after !== SLASH && after !== PLUS) return false;
  let to = end;
  while (to < end + BASE64_RUN && isBase64(text.charCodeAt(to))) to++;
  return to >= end + BASE64_RUN;
}

function isBase64(code: number): boolean {
  return isAlphanumeric(code) || code === SLASH || code === PLUS;
}

function compile(
  prefixed: readonly PrefixedRow[],
  named: readonly NamedRow[],
  inner: readonly InnerRow[],
): (Place | undefined)[] {
  // With every index there from the start the array is no hash table.
  const places = Array.from<Place | undefined>({ length: ASCII * ASCII });
  const placeOf = (first: string, second: string) => {
    const index = first.charCodeAt(0) * ASCII + second.charCodeAt(0);
    const place = places[index] ?? { openings: [], insides: [] };
    places[index] = place;
    return place;
  };
  for (const row of prefixed) {
    const pattern = sticky(row.body);
    for (const literal of row.opens) {
      const find = (text: string, at: number) => findPrefixed(text, at, row, pattern, literal);
      const { openings } = placeOf(literal.charAt(0), literal.charAt(1));
      openings.push({ literal, named: false, find });
    }
  }
  for (const row of named) {
    const between = row.between ?? BETWEEN;
    const pattern = new RegExp(`(${between})(${row.value})${NOT_JOINED}`, 'y');
    for (const literal of row.names) {
      const find = (text: string, at: number) => findNamed(text, at, row, pattern, literal.length);
      for (const first of bothCases(literal.charAt(0))) {
        for (const second of bothCases(literal.charAt(1))) {
          placeOf(first, second).openings.push({ literal, named: true, find });
        }
      }
    }
  }
  for (const row of inner) {
    const pattern = sticky(row.value);
    const { insides } = placeOf(row.literal.charAt(0), row.literal.charAt(1));
    insides.push((text, at) => findInside(text, at, row, pattern));
  }
  return places;
}

function bothCases(sign: string): ReadonlySet<string> {
  return new Set([sign.toLowerCase(), sign.toUpperCase()]);
}

function sticky(source: string): RegExp {
  return new RegExp(`(?:${source})${NOT_AFTER}`, 'y');
}

function findPrefixed(
  text: string,
  start: number,
  row: PrefixedRow,
  pattern: RegExp,
  literal: string,
): FoundSecret | undefined {
  pattern.lastIndex = start + literal.length;
  if (!pattern.test(text)) return undefined;
  const end = pattern.lastIndex;
  if (isInsideBase64(text, start, end)) return undefined;
  const value = text.slice(start, end);
  const reason = `${row.vendor}: documented form`;
  if (row.documented?.test(value)) {
    return { type: row.type, start, end, score: SCORE.documented, reason: documentedReason(row) };
  }
  if (row.accepts !== undefined && !row.accepts(value)) return undefined;
  if (isPlaceholder(value.slice(literal.length))) return undefined;
  if (row.check === undefined) {
    const score = isForTests(value) ? SCORE.test : (row.score ?? SCORE.form);
    return { type: row.type, start, end, score, reason };
  }
  const score = row.check(value) ? SCORE.checked : SCORE.wrongCheck;
  const checked = score === SCORE.checked ? 'right' : 'wrong';
  return { type: row.type, start, end, score, reason: `${reason}, ${checked} checksum` };
}

function documentedReason({ vendor }: { readonly vendor: string }): string {
  return `${vendor}: example of its documentation`;
}

function findNamed(
  text: string,
  at: number,
  row: NamedRow,
  pattern: RegExp,
  nameLength: number,
): FoundSecret | undefined {
  const nameEnd = at + nameLength;
  if (!endsWord(text, nameEnd)) return undefined;
  pattern.lastIndex = nameEnd;
  const [, between, value] = pattern.exec(text) ?? [];
  if (between === undefined || value === undefined) return undefined;
  const end = pattern.lastIndex;
  const label = text.slice(at, nameEnd) + between;
  if (!CREDENTIAL.test(label) || DIGEST_OR_ID.test(label)) return undefined;
  const start = end - value.length;
  if (row.documented?.test(value)) {
    return { type: row.type, start, end, score: SCORE.documented, reason: documentedReason(row) };
  }
  if (isPlaceholder(value) || isSequence(value) || !looksRandom(value)) return undefined;
  const reason = `${row.vendor}: value of the documented form after its name`;
  return { type: row.type, start, end, score: SCORE.named, reason };
}

/** Whether a word ends before a place: at a sign, at a capital within `camelCase`, or where a word of credentials follows. */
function endsWord(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at);
  if (!isLetter(last) || !isLetter(next) || (isLower(last) && !isLower(next))) return true;
  JOINED_WORD.lastIndex = at;
  return JOINED_WORD.test(text);
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isLetter(code: number): boolean {
  return isLower(code) || (code >= 0x41 && code <= 0x5a);
}

function findInside(
  text: string,
  at: number,
  { literal, before, type, vendor }: InnerRow,
  pattern: RegExp,
): FoundSecret | undefined {
  const start = at - before;
  if (start < 0 || !text.startsWith(literal, at)) return undefined;
  if (isAlphanumeric(text.charCodeAt(start - 1))) return undefined;
  pattern.lastIndex = start;
  if (!pattern.test(text)) return undefined;
  const end = pattern.lastIndex;
  if (isInsideBase64(text, start, end)) return undefined;
  const value = text.slice(start, end);
  if (isPlaceholder(value) || !looksRandom(value)) return undefined;
  return { type, start, end, score: SCORE.form, reason: `${vendor}: documented form` };
}
