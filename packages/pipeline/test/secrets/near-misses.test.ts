import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, toBase62 } from '../../src/secrets/checksums.ts';
import { findSecrets } from '../../src/secrets/index.ts';
import { createSigns, FORMS, fill, NAMED_FORMS } from './forms.ts';

/** A run of random signs in a form: its alphabet and its length. */
const RUNS = /\{([a-zA-Z])(\d+)\}/g;
/** So many signs of a run stand before a sign that no form has. */
const BEFORE_WRONG = 4;
/** Forms that are written in hexadecimal here and have a wider alphabet, or a part that is whole by itself. */
const WIDER = /^(?:bkua_|mlsn\.|AstraCS:|https:|FLWSECK-|NRBR-)/;
/** Forms of which a part is a form as well: a token without its checksum, a bot's without its last part. */
const WHOLE_BEFORE = /^(?:glrt-|xoxb-)/;

interface Case {
  readonly vendor: string;
  /** The value, without the name before it. */
  readonly form: string;
  /** What stands before the value: a name, or nothing. */
  readonly name: string;
  readonly varies: boolean;
  /** The last run of signs: where it stands, its alphabet and length. */
  readonly last: { at: number; length: number; alphabet: string; count: number } | undefined;
}

const CASES: readonly Case[] = [...FORMS, ...NAMED_FORMS].map(([vendor, whole, length]) => {
  const bar = whole.indexOf('|');
  const form = whole.slice(bar + 1);
  const match = [...form.matchAll(RUNS)].at(-1);
  const last = match && {
    at: match.index,
    length: match[0].length,
    alphabet: match[1] as string,
    count: Number(match[2]),
  };
  return {
    vendor,
    form,
    name: whole.slice(0, Math.max(0, bar)),
    varies: length !== undefined,
    last,
  };
});

describe('near misses of the forms of secrets', () => {
  it('finds no value that is one sign shorter or longer than the vendor makes them', () => {
    const signs = createSigns(41);
    const fixed = CASES.filter(({ varies, last }) => !varies && last !== undefined);
    assert.ok(fixed.length >= 110, String(fixed.length));
    for (const one of fixed) {
      const short = withLast(one, ({ alphabet, count }) => `{${alphabet}${count - 1}}`);
      // Every alphabet has a seven.
      const long = withLast(one, ({ alphabet, count }) => `{${alphabet}${count}}7`);
      for (const form of [short, long]) {
        assert.deepEqual(foundOf(one, fill(form, signs)), [], `${one.vendor} ${form}`);
      }
    }
  });

  it('finds no value with a sign that is not of its alphabet', () => {
    const signs = createSigns(43);
    for (const one of CASES.filter(({ form }) => !WHOLE_BEFORE.test(form))) {
      const form = withSign(one, '!');
      assert.deepEqual(foundOf(one, fill(form, signs)), [], `${one.vendor} ${form}`);
    }
    const hex = CASES.filter(
      ({ form, last }) => last && /h/i.test(last.alphabet) && !WIDER.test(form),
    );
    assert.ok(hex.length >= 35, String(hex.length));
    for (const one of hex) {
      const form = withSign(one, 'g');
      assert.deepEqual(foundOf(one, fill(form, signs)), [], `${one.vendor} ${form}`);
    }
  });

  it('finds no value within an identifier', () => {
    const signs = createSigns(47);
    for (const one of CASES.filter(({ name, form }) => name === '' && !form.startsWith('https:'))) {
      for (const before of ['9', 'Z']) {
        const value = before + fill(one.form, signs);
        assert.deepEqual(foundOf(one, value), [], `${one.vendor} ${before}${one.form}`);
      }
    }
  });

  it('finds no placeholder in the place of a value', () => {
    for (const one of CASES) {
      const opens = one.form.slice(0, Math.max(0, one.form.indexOf('{')));
      const filled = one.form
        .replaceAll('{uuid}', 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx')
        .replace(RUNS, (_, __, count: string) => 'x'.repeat(Number(count)));
      const words = [`${opens}<YOUR_KEY>`, `${opens}your-key-here`, opens + 'EXAMPLE'.repeat(6)];
      for (const value of [filled, ...words]) {
        assert.deepEqual(foundOf(one, value), [], `${one.vendor} ${value}`);
      }
    }
  });

  it('tells right checksums from wrong ones, and takes a token with its checksum whole', () => {
    const signs = createSigns(53);
    for (const open of ['vcp_', 'vca_', 'vck_', 'polar_oat_']) {
      const body = signs('b', open === 'polar_oat_' ? 37 : 50);
      assert.deepEqual(scoreOf(open + body + toBase62(crc32(body))), 0.99, open);
      assert.deepEqual(scoreOf(open + body + toBase62(crc32(`${body}x`))), 0.6, open);
    }
    for (const version of ['.01', '']) {
      const token = `glpat-${signs('w', 43)}A${version}.18`;
      const check = (text: string) => crc32(text).toString(36).padStart(7, '0');
      assert.equal(scoreOf(token + check(token)), 0.99);
      assert.equal(scoreOf(token + check(`${token}x`)), 0.6);
    }
    // A word behind the end of a sentence is no checksum.
    const plain = `glpat-${signs('w', 19)}A`;
    const text = `${plain}.something and more`;
    assert.deepEqual(
      findSecrets(text).map(({ start, end }) => text.slice(start, end)),
      [plain],
    );
  });
});

function withLast({ form, last }: Case, put: (last: NonNullable<Case['last']>) => string): string {
  if (last === undefined) return `${form}!`;
  return form.slice(0, last.at) + put(last) + form.slice(last.at + last.length);
}

/** A form with a wrong sign within its last run, or, where it has none, within its last UUID. */
function withSign(one: Case, sign: string): string {
  if (one.last === undefined)
    return one.form.replace('{uuid}', `{h8}-{h4}-{h4}-{h4}-{h5}${sign}{h6}`);
  return withLast(one, ({ alphabet, count }) => {
    const before = Math.min(BEFORE_WRONG, count - 2);
    return `{${alphabet}${before}}${sign}{${alphabet}${count - before - 1}}`;
  });
}

/** What is found of the vendor of a case, where a value stands behind the name. */
function foundOf({ vendor, name }: Case, value: string): string[] {
  const text = `${name === '' ? 'use ' : name}${value} now`;
  return findSecrets(text)
    .filter(({ reason }) => reason.startsWith(`${vendor}:`))
    .map(({ start, end }) => text.slice(start, end));
}

/** The confidence in a value that is found whole, and as nothing else. */
function scoreOf(value: string): number | undefined {
  const [first, ...others] = findSecrets(`use ${value} now`);
  assert.deepEqual(others, []);
  assert.equal(first?.end, 4 + value.length);
  return first.score;
}
