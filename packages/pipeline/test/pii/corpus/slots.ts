import type { Random } from '@probity/test-support/random';
import { IBAN_PATTERNS } from './iban-patterns.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Digits and letters of German passport numbers (no vowels, no letters that look like digits). */
const PASSPORT_CHARACTERS = '0123456789CFGHJKLMNPRTVWXYZ';

type Slot = (pattern: string, random: Random) => string;

const SLOTS: Readonly<Record<string, Slot>> = {
  d: fillPattern,
  k: (pattern, random) => pattern.replace(/#/gu, () => random.pick([...PASSPORT_CHARACTERS])),
  luhn: (pattern, random) => fillLuhn(pattern, random, 0),
  notluhn: (pattern, random) => fillLuhn(pattern, random, 1 + random.below(9)),
  luhnmark: (pattern, random) => `[[c:${fillLuhn(pattern, random, 0)}]]`,
  iban: (country, random) => `[[b:${iban(country, random)}]]`,
  ibanlower: (country, random) => `[[b:${iban(country, random).toLowerCase()}]]`,
  iban4: (country, random) => `[[b:${inFours(iban(country, random), ' ')}]]`,
  ibandash: (country, random) => `[[b:${inFours(iban(country, random), '-')}]]`,
  badiban: (country, random) => inFours(iban(country, random, 1 + random.below(90)), ' '),
  aba: (_, random) => aba(random),
  ssn: (separator, random) => ssn(separator === 'sp' ? ' ' : separator, random),
  v4: (_, random) => v4(random),
  v6: (_, random) => v6(random),
  V6: (_, random) => v6(random).toUpperCase(),
  v6full: (_, random) => `2001:${Array.from({ length: 7 }, () => hex(4, random)).join(':')}`,
  oct: (_, random) => String(2 + random.below(250)),
  hex: (length, random) => hex(Number(length), random),
  ts: (_, random) => `Jan ${1 + random.below(28)} 0${random.below(10)}:1${random.below(10)}:22`,
  A: (_, random) => random.pick([...LETTERS]),
  l: (_, random) => random.pick([...LETTERS]).toLowerCase(),
  sp: () => ' ',
  mrz: machineReadable,
};

/** Fills every `{{name}}`, `{{name pattern}}` and `{{name:pattern}}` of a row. */
export function expandSlots(row: string, random: Random): string {
  return row.replace(
    /\{\{([A-Za-z]+|v4|v6(?:full)?|V6|iban4)(\d+)?(?:[ :](.*?))?\}\}/gsu,
    (_, name: string, length: string | undefined, pattern: string | undefined) => {
      const slot = SLOTS[`${name}${length ?? ''}`] ?? SLOTS[name];
      if (slot === undefined) throw new Error(`no slot ${name}`);
      return slot(pattern ?? length ?? '', random);
    },
  );
}

/** `#` any digit, `%` 1 to 9, `&` 2 to 9, `@` a letter, `_` a hard space. */
function fillPattern(pattern: string, random: Random): string {
  return pattern.replace(/[#%&@_]/gu, (sign) => {
    if (sign === '_') return '\u00a0';
    if (sign === '@') return random.pick([...LETTERS]);
    if (sign === '#') return String(random.below(10));
    return sign === '%' ? String(1 + random.below(9)) : String(2 + random.below(8));
  });
}

/** Fills a pattern and sets its last digit `off` beside the Luhn check digit (ISO/IEC 7812-1). */
function fillLuhn(pattern: string, random: Random, off: number): string {
  const filled = fillPattern(pattern, random);
  const last = filled.search(/\d\D*$/u);
  const digits = filled.slice(0, last).replace(/\D/gu, '');
  let sum = 0;
  for (let at = digits.length - 1, double = true; at >= 0; at--, double = !double) {
    const digit = Number(digits[at]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  const check = (10 - (sum % 10) + off) % 10;
  return `${filled.slice(0, last)}${check}${filled.slice(last + 1)}`;
}

/** An IBAN whose check digits (ISO 13616, mod 97) are right, or `off` beside it. */
function iban(country: string, random: Random, off = 0): string {
  const pattern = IBAN_PATTERNS[country];
  if (pattern === undefined) throw new Error(`no IBAN pattern for ${country}`);
  const account = pattern.replace(/(\d+)([nac])/gu, (_, count: string, kind: string) =>
    Array.from({ length: Number(count) }, () =>
      kind === 'a' ? random.pick([...LETTERS]) : String(random.below(10)),
    ).join(''),
  );
  const numeric = [...`${account}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('');
  const check = ((98n - (BigInt(numeric) % 97n) + BigInt(off)) % 97n) + 0n;
  return `${country}${String(check < 2n ? check + 97n : check).padStart(2, '0')}${account}`;
}

function inFours(text: string, separator: string): string {
  return (text.match(/.{1,4}/gu) ?? []).join(separator);
}

/** A routing number of the American Bankers Association with its weighted check digit (3, 7, 1). */
function aba(random: Random): string {
  const digits = [
    ...fillPattern(random.pick(['01', '02', '03', '06', '07', '11', '12', '26', '31']), random),
  ];
  digits.push(...fillPattern('######', random));
  const sum = digits.reduce(
    (total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0),
    0,
  );
  return `${digits.join('')}${(10 - (sum % 10)) % 10}`;
}

function ssn(separator: string, random: Random): string {
  const area = String(1 + random.below(665)).padStart(3, '0');
  return [area, fillPattern('%#', random), fillPattern('%###', random)].join(separator);
}

function v4(random: Random): string {
  const first = random.pick([
    23, 31, 45, 62, 78, 81, 91, 104, 134, 151, 178, 185, 188, 193, 203, 213,
  ]);
  return [first, random.below(256), random.below(256), 1 + random.below(254)].join('.');
}

function v6(random: Random): string {
  const start = random.pick([
    '2001:db8',
    '2a02:8109',
    '2a01:4f8',
    '2003:e2',
    '2600:1700',
    'fd12:3456',
  ]);
  const tail = Array.from({ length: 1 + random.below(4) }, () => hex(1 + random.below(4), random));
  return `${start}::${tail.map((group) => group.replace(/^0+(?=.)/u, '')).join(':')}`;
}

function hex(length: number, random: Random): string {
  return Array.from({ length }, () => random.pick([...'0123456789abcdef'])).join('');
}

/** Two lines of a machine-readable passport page (ICAO 9303 part 4), the passport number marked. */
function machineReadable(state: string, random: Random): string {
  const number = fillPattern(random.pick(['@########', '#########', '@@#######']), random);
  const birth = '740812';
  const expiry = '320415';
  const line =
    `[[t:${number}]]${checkDigit(number)}${state}${birth}${checkDigit(birth)}F` +
    `${expiry}${checkDigit(expiry)}<<<<<<<<<<<<<<0${random.below(10)}`;
  return `P<${state}BERGSTROM<<ANNA<MARIA${'<'.repeat(18)}\n${line}`;
}

function checkDigit(text: string): number {
  const weights = [7, 3, 1];
  return (
    [...text].reduce(
      (sum, sign, at) => sum + Number.parseInt(sign, 36) * (weights[at % 3] ?? 0),
      0,
    ) % 10
  );
}
