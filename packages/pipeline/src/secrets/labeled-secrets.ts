import type { FoundSecret } from './found-secret.ts';
import type { Writing } from './labeled-value.ts';
import { isKey, isPassword } from './labeled-value.ts';
import { compileLabels } from './secret-labels.ts';
import type { SecretType } from './secret-row.ts';

const LABELS = compileLabels();
const SCORE = { quoted: 0.85, announced: 0.85, told: 0.7 };
const REASON = 'value of a label that names a secret';
const MAX_VALUE = 256;
const LONG_VALUE = 40;
/** The largest distance between a label and its value in one object. */
const REACH = 200;
const CLOSE = '\\\\{0,7}["\'`*_]{0,3}';
/** Signs between a label and its value: `:`, `=`, a table's bar, the tags of XML. */
const SIGN = new RegExp(
  `(?:${CLOSE}\\s{0,8}(?::[=-]|=>|:(?!\\?)|[=：]|\\|(?=\\s))(?![=>|:])|<\\/[\\w:]{1,20}>\\s{0,20}<[\\w:]{1,20}>|>(?=[^<>\\n]{1,256}<\\/))[\\s*_]{0,40}`,
  'y',
);
/** A comma between two quoted texts: the arguments of a call. */
const COMMA = /["']\s{0,4},\s{0,4}(?=["'])/y;
const BLANKS = /\s{1,4}/y;
const AFTER_VERB = /[\s:]{0,4}[*_]{0,2}/y;
const OPEN_QUOTE = /\\{0,7}["'`“„«]/y;
const CLOSING: Readonly<Record<string, string>> = { '“': '”', '„': '“', '«': '»' };
const SCHEME = /(?:Bearer|Basic|Token|Digest)\s{1,4}/iy;
/** A value without quotation marks, as far as a sign can be a part of it. */
const BARE =
  /(?:[^\s"'`<>(){}[\];,&|“”„«»\p{Lo}。、，]|[;,&|](?=[^\s"'`<>;,&|])(?![\w-]{1,40}=)){1,256}/uy;
const TRAILING = /[.:*_?]+$/;
/** `Season pass: …` */
const WORD_BEFORE = /\p{L}[ ]$/u;
/** Members of an object whose value labels another member. */
const NAMES =
  'name|key|id|type|label|field|title|property|attribute|param|parameter|header|variable|kind|target|purpose|k|n';
const VALUES =
  'value|val|v|text|content|data|string|answer|input|response|default|defaultValue|secretValue';
const MEMBER_SIGN = '\\\\{0,7}["\']?\\s{0,8}[:=]\\s{0,8}';
/** The member whose value begins where this ends. */
const LABELING = new RegExp(
  `(?<![\\w-])(${NAMES})${MEMBER_SIGN}\\\\{0,7}["']?(?:id=|name=|#)?$`,
  'i',
);
const NAME_MEMBER = new RegExp(`(?<![\\w-])(${NAMES})${MEMBER_SIGN}`, 'gi');
const VALUE_MEMBER = new RegExp(`(?<![\\w-])(?:${VALUES})${MEMBER_SIGN}`, 'gi');
const END_OF_OBJECT = /[{}]|\/>|<\//;
const IN_LABEL = /[\p{L}\p{N}_.-]/u;
const MAX_LABEL = 60;

/** A value and where it stands. */
interface Value {
  readonly start: number;
  readonly end: number;
  readonly writing: Writing;
}

/** A word for a secret in a text. */
interface Label {
  readonly start: number;
  readonly end: number;
  readonly type: SecretType;
  /** Whether the word is one of sentences as well. */
  readonly isShort: boolean;
}

/**
 * Secrets that only their label tells: `"password": "…"`, `DB_PASSWORD=…`, `{"name": "DB_PASSWORD", "value": "…"}`,
 * `the password is …`. Each label is read in a bounded part of the text, so that time is linear.
 */
export function findLabeledSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  let from = 0;
  for (const { 0: word, index, groups = {} } of text.matchAll(LABELS.label)) {
    // An identifier of a session in a program's data opens nothing by itself.
    if (index < from || word.endsWith('Id')) continue;
    const type = typeOf(groups);
    const isShort = groups.short !== undefined;
    const value = secretAfter(text, { start: index, end: index + word.length, type, isShort });
    if (value === undefined) continue;
    const { start, end, writing } = value;
    // A long value without quotation marks is read once, whatever words it has in it.
    if (writing !== 'quoted' && end - start > LONG_VALUE) from = end;
    if (isSecret(text, value, type)) {
      found.push({ type, start, end, score: SCORE[writing], reason: REASON });
    }
  }
  return found;
}

function typeOf({ key, token }: Readonly<Record<string, string | undefined>>): SecretType {
  if (key !== undefined) return 'api_key';
  return token === undefined ? 'password' : 'access_token';
}

function isSecret(text: string, { start, end, writing }: Value, type: SecretType): boolean {
  const value = text.slice(start, end);
  if (type !== 'password') return isKey(value, writing) || isCredentials(text, start, value);
  return !LABELS.password.test(value) && isPassword(value, writing);
}

/** Whether a value is the user and password of HTTP's Basic authentication. */
function isCredentials(text: string, start: number, value: string): boolean {
  if (!/basic\s{1,4}$/i.test(text.slice(Math.max(0, start - 10), start))) return false;
  return /^(?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(value);
}

function secretAfter(text: string, label: Label): Value | undefined {
  const { start, end, type, isShort } = label;
  const afterSign = endOf(SIGN, text, end);
  if (afterSign !== undefined) {
    const value = valueAt(text, afterSign, 'quoted', 'announced');
    const isOfSentence =
      isShort &&
      value?.writing !== 'quoted' &&
      WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start));
    return isOfSentence ? undefined : value;
  }
  const paired = pairedValue(text, label);
  if (paired !== undefined) return paired;
  const afterComma = endOf(COMMA, text, end);
  if (afterComma !== undefined) return valueAt(text, afterComma, 'told', 'told');
  if (isShort) return undefined;
  const afterVerb = endOf(LABELS.introduction, text, end);
  if (afterVerb !== undefined) {
    return valueAt(text, endOf(AFTER_VERB, text, afterVerb) ?? afterVerb, 'announced', 'announced');
  }
  const afterBlanks = type === 'password' ? endOf(BLANKS, text, end) : undefined;
  if (afterBlanks === undefined) return undefined;
  const begin = startOfLabel(text, start);
  // `$DB_PASSWORD localhost:5432`
  if (/[$%{]$/.test(text.slice(Math.max(0, begin - 1), begin))) return undefined;
  const isOption = text.startsWith('--', begin);
  return valueAt(text, afterBlanks, 'announced', isOption ? 'announced' : 'told');
}

/** The value of another member of the object in which a member has the label as its value. */
function pairedValue(text: string, { start, end, type }: Label): Value | undefined {
  const from = startOfLabel(text, start);
  const head = LABELING.exec(text.slice(Math.max(0, from - MAX_LABEL), from));
  if (head === null) return undefined;
  const [member, name = ''] = head;
  const isFound = (value: Value | undefined) => value !== undefined && isSecret(text, value, type);
  const after = text.slice(end, end + REACH);
  const closes = after.search(END_OF_OBJECT);
  const next = membersIn(text, end, closes < 0 ? end + REACH : end + closes, name)[0];
  if (isFound(next)) return next;
  const begin = from - member.length;
  const before = text.slice(Math.max(0, begin - REACH), begin);
  const opens = before.lastIndexOf('{');
  if (opens < 0) return undefined;
  return membersIn(text, begin - before.length + opens, begin, '').find(isFound);
}

/** The values of members between two places, up to a further member of the name. */
function membersIn(text: string, start: number, end: number, name: string): Value[] {
  const part = text.slice(start, end);
  const names = [...part.matchAll(NAME_MEMBER)];
  const next = names.find(({ 1: each = '' }) => each.toLowerCase() === name.toLowerCase());
  return [...part.matchAll(VALUE_MEMBER)].flatMap(({ 0: { length }, index }) => {
    if (next !== undefined && index > next.index) return [];
    return valueAt(text, start + index + length, 'quoted', 'announced') ?? [];
  });
}

function valueAt(text: string, at: number, quoted: Writing, bare: Writing): Value | undefined {
  const inner = endOf(OPEN_QUOTE, text, at);
  if (inner !== undefined) {
    const end = endOfQuoted(text, at, inner);
    const start = endOf(SCHEME, text, inner) ?? inner;
    return end === undefined ? undefined : { start, end, writing: quoted };
  }
  const start = endOf(SCHEME, text, at) ?? at;
  const end = endOf(BARE, text, start);
  if (end === undefined || /[([{]/.test(text.charAt(end))) return undefined;
  const trailing = TRAILING.exec(text.slice(start, end))?.[0].length ?? 0;
  return { start, end: end - trailing, writing: bare };
}

/** Where a quoted value ends; its quotation marks may be escaped, as in JSON within JSON. */
function endOfQuoted(text: string, at: number, inner: number): number | undefined {
  const quote = text.charAt(inner - 1);
  const escapes = inner - 1 - at;
  const closing = CLOSING[quote] ?? quote;
  let backslashes = 0;
  for (let index = inner; index < Math.min(text.length, inner + MAX_VALUE); index++) {
    const sign = text.charAt(index);
    if (sign === '\n') return undefined;
    if (sign === closing && backslashes <= escapes) return index - backslashes;
    backslashes = sign === '\\' ? backslashes + 1 : 0;
    // A pair of backslashes is one sign of the value.
    if (escapes === 0 && backslashes === 2) backslashes = 0;
  }
  return undefined;
}

/** Where the name with the word for a secret begins: `MYSQL_ROOT_PASSWORD`. */
function startOfLabel(text: string, start: number): number {
  let from = start;
  while (from > Math.max(0, start - MAX_LABEL) && IN_LABEL.test(text.charAt(from - 1))) from--;
  return from;
}

/** Where a sticky expression ends that matches at a place. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
