import type { Random } from '@probity/test-support/random';
import { createRandom } from '@probity/test-support/random';
import { readDataFile } from '../lib/data-file.ts';
import type { Row, RowSpan } from '../lib/rows.ts';

const forms = readDataFile('pii/forms');
/** Structure of national account numbers by country, for IBANs: `n` a digit, `a` a letter, `c` either. */
const BBAN_FORMS = forms.texts('bban');
/** Passport numbers by country, prefix letters as issued; `n`, `a`, `c` as above, rest literal. */
const PASSPORT_FORMS = forms.lists('passports');
/** Telephone numbers: international prefix, then national forms; `#` is a digit, `*` one from 2 to 9. */
const PHONE_FORMS = Object.entries(forms.lists('phones'));
const NATIONAL_PHONE_FORMS = forms.list('nationalPhones');
/** Sentences with a place for a value, `{}`, by kind. */
const PII_TEMPLATES = forms.lists('templates');
/** Texts without personal data that look as if they had some. */
const PII_LOOK_ALIKES = readDataFile('pii/look-alikes').list('lookAlikes');

/** Example issuer prefixes and lengths of cards. */
const CARD_FORMS: readonly (readonly [string, number, readonly number[]])[] = [
  ['4', 16, [4, 4, 4, 4]],
  ['4', 16, [16]],
  ['51', 16, [4, 4, 4, 4]],
  ['55', 16, [16]],
  ['2221', 16, [4, 4, 4, 4]],
  ['34', 15, [4, 6, 5]],
  ['37', 15, [15]],
  ['6011', 16, [4, 4, 4, 4]],
  ['3528', 16, [4, 4, 4, 4]],
  ['36', 14, [4, 6, 4]],
];

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const FIRST = forms.list('mailboxes');
const HOSTS = forms.list('hosts');
const ENDINGS = forms.list('topLevelDomains');

/** What may stand around a value; most have nothing. */
const WRAPPERS: readonly (readonly [string, string])[] = [
  ['', ''],
  ['', ''],
  ['', ''],
  ['', ''],
  ['"', '"'],
  ['**', '**'],
  ['<b>', '</b>'],
  ['[', ']'],
  ['| ', ' |'],
  ['\t', '\t'],
  ['', ','],
  ['', '?'],
];

/** Makes the value of one kind, and says which type and which templates it has. */
interface Kind {
  readonly type: string;
  readonly templates: string;
  make(random: Random): string;
}

const KINDS: readonly Kind[] = [
  { type: 'ssn', templates: 'ssn', make: makeSsn },
  { type: 'credit_card', templates: 'credit_card', make: makeCard },
  { type: 'phone_number', templates: 'phone_number', make: makeInternationalPhone },
  { type: 'phone_number', templates: 'phone_international', make: makeInternationalPhone },
  {
    type: 'phone_number',
    templates: 'phone_number',
    make: (random) => fill(random, random.pick(NATIONAL_PHONE_FORMS)),
  },
  { type: 'email', templates: 'email', make: makeEmail },
  { type: 'passport', templates: 'passport', make: makePassport },
  { type: 'ip_address', templates: 'ip_address', make: makeAddress },
  { type: 'bank_account', templates: 'iban', make: makeIban },
  {
    type: 'bank_account',
    templates: 'account',
    make: (random) => digits(random, 7 + random.below(5)),
  },
  { type: 'bank_account', templates: 'routing', make: makeRouting },
  {
    type: 'bank_account',
    templates: 'sort_code',
    make: (random) => fill(random, '##-##-## ########'),
  },
];

/**
 * Rows with personal data in forms of many countries and words of seven languages, and rows with what
 * only looks like it: for measuring the rules on what they were not written for.
 */
export function makePiiRows(seed: number, count: number): Row[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const id = `generated-pii-${index}`;
    if (random.next() < 0.35) return toRow(id, [fill(random, random.pick(PII_LOOK_ALIKES))], []);
    const parts: string[] = [];
    const spans: RowSpan[] = [];
    for (let more = 1 + random.below(2); more > 0; more--) {
      const kind = random.pick(KINDS);
      const value = kind.make(random);
      const template = random.pick(PII_TEMPLATES[kind.templates] as readonly string[]);
      const place = template.indexOf('{}');
      const before = parts.reduce((sum, part) => sum + part.length + 1, 0);
      const [left, right] = random.pick(WRAPPERS);
      parts.push(template.slice(0, place) + left + value + right + template.slice(place + 2));
      const start = before + place + left.length;
      spans.push({ start, end: start + value.length, type: kind.type });
    }
    return toRow(id, parts, spans);
  });
}

function toRow(id: string, parts: readonly string[], spans: readonly RowSpan[]): Row {
  return {
    id,
    task: 'pii',
    text: parts.join('\n'),
    label: spans.length > 0 ? 1 : 0,
    labels: {},
    types: [...new Set(spans.map(({ type }) => type))],
    spans,
    source: spans.length > 0 ? 'generated_forms' : 'generated_look_alikes',
  };
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => DIGITS[random.below(10)]).join('');
}

function fill(random: Random, form: string): string {
  return form
    .replace(/#/g, () => digits(random, 1))
    .replace(/\*/g, () => String(2 + random.below(8)))
    .replace(/h+/g, (run) =>
      run.length < 3
        ? run
        : Array.from({ length: run.length }, () => '0123456789abcdef'[random.below(16)]).join(''),
    );
}

/** `n3` three digits, `a2` two letters, `c4` letters or digits; all else stays. */
function fromForm(random: Random, form: string): string {
  return form.replace(/([nac])(\d+)/g, (_, kind: string, length: string) => {
    const signs = kind === 'n' ? DIGITS : kind === 'a' ? LETTERS : DIGITS + LETTERS;
    return Array.from({ length: Number(length) }, () => random.pick([...signs])).join('');
  });
}

function group(value: string, sizes: readonly number[], separator: string): string {
  let at = 0;
  const groups = sizes.map((size) => {
    at += size;
    return value.slice(at - size, at);
  });
  return groups.join(separator);
}

function makeSsn(random: Random): string {
  const area = String(1 + random.below(665)).padStart(3, '0');
  const middle = String(1 + random.below(99)).padStart(2, '0');
  const serial = String(1 + random.below(9_999)).padStart(4, '0');
  return [area, middle, serial].join(random.pick(['-', '-', ' ', '']));
}

function makeCard(random: Random): string {
  const [prefix, length, sizes] = random.pick(CARD_FORMS);
  const body = prefix + digits(random, length - prefix.length - 1);
  let sum = 0;
  [...body].reverse().forEach((sign, index) => {
    const value = Number(sign) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return group(body + String((10 - (sum % 10)) % 10), sizes, random.pick([' ', '-']));
}

function makeInternationalPhone(random: Random): string {
  const [prefix, forms] = random.pick(PHONE_FORMS);
  const written = random.pick([prefix, prefix.replace('+', '00'), prefix]);
  return written + fill(random, random.pick(forms));
}

function makeEmail(random: Random): string {
  return `${random.pick(FIRST)}@${random.pick(HOSTS)}.${random.pick(ENDINGS)}`;
}

function makePassport(random: Random): string {
  const country = random.pick(Object.keys(PASSPORT_FORMS));
  return fromForm(random, random.pick(PASSPORT_FORMS[country] as readonly string[]));
}

function makeAddress(random: Random): string {
  const part = () => String(32 + random.below(190));
  const hex = () => (1 + random.below(0xfffe)).toString(16);
  return random.pick([
    () => [part(), part(), part(), part()].join('.'),
    () => ['10', part(), part(), part()].join('.'),
    () => ['192', '168', part(), part()].join('.'),
    () => `2001:db8:${hex()}::${hex()}`,
    () => `fe80::${hex()}:${hex()}:${hex()}:${hex()}`,
    () => Array.from({ length: 8 }, hex).join(':'),
  ])();
}

function makeIban(random: Random): string {
  const country = random.pick(Object.keys(BBAN_FORMS));
  const body = fromForm(random, BBAN_FORMS[country] as string);
  const plain = [...`${body}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('');
  const check = String(98n - (BigInt(plain) % 97n)).padStart(2, '0');
  const value = `${country}${check}${body}`;
  return random.next() < 0.5 ? value : value.replace(/(.{4})(?=.)/g, '$1 ');
}

function makeRouting(random: Random): string {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7];
  const body = `${String(1 + random.below(12)).padStart(2, '0')}${digits(random, 6)}`;
  const sum = weights.reduce((total, weight, index) => total + weight * Number(body[index]), 0);
  return body + String((10 - (sum % 10)) % 10);
}
