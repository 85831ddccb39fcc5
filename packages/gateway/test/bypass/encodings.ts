import { sampleCases } from '@probity/test-support/combinations';
/** A text with a planted value, as it is written in one way. */
export interface Plant {
  readonly name: string;
  readonly text: string;
  /** A part of the value as it is written: where it stands, the value has come through. */
  readonly needle: string;
  /** JSON as text, such as a body or the arguments of a tool call, with the value written in it. */
  json(value: unknown): string;
}

const VALUES = [
  { carrier: (value: string) => `Her SSN is ${value}.`, value: '536-22-8145' },
  { carrier: (value: string) => `Pay with card ${value} today.`, value: '4539 1488 0343 6467' },
] as const;

const each = (text: string, write: (code: number, sign: string) => string) =>
  [...text].map((sign) => write(sign.charCodeAt(0), sign)).join('');
const hexOf = (code: number) => code.toString(16).padStart(2, '0');

/** A smile, and a variation selector behind it for each byte of a text. */
export const toSelectors = (text: string): string =>
  String.fromCodePoint(0x1f600, ...[...Buffer.from(text)].map((byte) => 0xe0100 + byte - 16));

/** A text in parts of about `size` units: a part of a message of gRPC cannot end within a pair of them. */
export function partsOf(text: string, size: number): string[] {
  const parts: string[] = [];
  let part = '';
  for (const sign of text) {
    part += sign;
    if (part.length < size) continue;
    parts.push(part);
    part = '';
  }
  return part === '' ? parts : [...parts, part];
}

/**
 * Every place with every plant. `npm test` takes every fifth pair, so that each place has other
 * plants than the one before it.
 */
export function pairsOf<Place>(
  places: readonly Place[],
  all: readonly Plant[],
): (readonly [Place, Plant])[] {
  return sampleCases(
    places.flatMap((place) => all.map((plant) => [place, plant] as const)),
    5,
  );
}

/** What writes a value otherwise; those of `whole` write the text around it too. */
const WRITINGS: readonly {
  readonly name: string;
  readonly isWhole?: boolean;
  readonly write: (text: string) => string;
}[] = [
  { name: 'plain', write: (text) => text },
  {
    name: 'fullwidth',
    write: (text) =>
      each(text, (code, sign) => (code > 32 ? String.fromCharCode(code + 0xfee0) : sign)),
  },
  { name: 'zero-width', write: (text) => each(text, (_, sign) => `${sign}\u200b`) },
  { name: 'base64', isWhole: true, write: (text) => Buffer.from(text).toString('base64') },
  { name: 'hex', isWhole: true, write: (text) => Buffer.from(text).toString('hex') },
  { name: 'variation selectors', isWhole: true, write: toSelectors },
  { name: 'percent', write: (text) => each(text, (code) => `%${hexOf(code)}`) },
  { name: 'entities', write: (text) => each(text, (code) => `&#x${hexOf(code)};`) },
];

/** Every value in every writing that the pipeline says it reads. */
export function plants(): Plant[] {
  return VALUES.flatMap(({ carrier, value }) => [
    ...WRITINGS.map(({ name, isWhole, write }) => {
      const text = isWhole ? write(carrier(value)) : carrier(write(value));
      // Of an encoded text the beginning has nothing of the value.
      const written = isWhole ? text.slice(-12) : write(value).slice(0, -4);
      return { name, text, needle: written, json: (given: unknown) => JSON.stringify(given) };
    }),
    {
      name: 'JSON escapes',
      text: carrier(value),
      needle: value.slice(0, -4),
      json: (given: unknown) =>
        JSON.stringify(given).replaceAll(
          value,
          each(value, (code) => `\\u00${hexOf(code)}`),
        ),
    },
  ]);
}
