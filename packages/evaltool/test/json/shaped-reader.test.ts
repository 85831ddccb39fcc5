import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { Kept, Shape } from '../../src/json/shape.ts';
import { array, object, objectWithTexts, REST, SCALAR, Texts } from '../../src/json/shape.ts';
import { ShapedReader } from '../../src/json/shaped-reader.ts';

function read(text: string, shape: Shape, size = 7): Kept {
  const reader = new ShapedReader(shape);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
  return reader.end();
}

/** Keeps everything. */
const ALL: Shape = {
  member: () => ALL,
  get elements() {
    return { shape: ALL, limit: Number.POSITIVE_INFINITY };
  },
};

function toJson(kept: Kept): unknown {
  if (Array.isArray(kept)) return kept.map(toJson);
  if (!(kept instanceof Map)) return kept;
  return Object.fromEntries([...kept].map(([name, value]) => [name, toJson(value)]));
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

test('what is kept of any JSON, in parts of any size, is what JSON.parse gives', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), fc.nat(3), (text, size, space) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space);
      assert.deepEqual(toJson(read(spaced, ALL, size)), JSON.parse(spaced));
    }),
    { numRuns: roundsOf(500) },
  );
});

test('a damaged text is refused exactly when JSON.parse refuses it', () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(2),
    added: fc.constantFrom(
      '',
      ',',
      ':',
      '"',
      '[',
      ']',
      '{',
      '}',
      '0',
      '-',
      'e',
      '.',
      ' ',
      '\\',
      't',
    ),
  });
  fc.assert(
    fc.property(fc.json(), damage, (text, { at, removed, added }) => {
      const place = Math.floor(at * text.length);
      const damaged = text.slice(0, place) + added + text.slice(place + removed);
      const expected = parse(damaged);
      for (const shape of [ALL, SCALAR]) {
        let kept: Kept | undefined;
        try {
          kept = read(damaged, shape);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'invalid_json');
        }
        assert.equal(kept !== undefined, expected !== null, damaged);
        if (kept !== undefined && shape === ALL) assert.deepEqual(toJson(kept), expected?.value);
      }
    }),
    { numRuns: roundsOf(2_000) },
  );
});

const NAMED = '{"a":{"b":1,"c":[1,{"b":2}]},"b":[[3],4],"a2":"x","n":null}';

test('members that have no shape, and content that is not described, are passed over', () => {
  const shape = object({ a: object({ b: SCALAR }), b: SCALAR, n: object({ x: SCALAR }) });
  assert.deepEqual(toJson(read(NAMED, shape)), { a: { b: 1 }, b: [], n: null });
});

test('an array keeps elements up to its limit', () => {
  const shape = array(object({ a: SCALAR }), 2);
  assert.deepEqual(toJson(read('[{"a":1,"b":2},{"a":3},{"a":5}]', shape)), [{ a: 1 }, { a: 3 }]);
});

test('the texts of a value are those of all its parts', () => {
  const texts = (text: string) => {
    const kept = read(text, object({ t: { textsFrom: 3 } }));
    const value = kept instanceof Map ? kept.get('t') : undefined;
    return value instanceof Texts ? value.list : value;
  };
  assert.deepEqual(texts('{"t":["one",{"two":"three","x":["no",1,[["four"]]]}],"u":"five"}'), [
    'one',
    'three',
    'four',
  ]);
  assert.deepEqual(texts('{"t":"whole"}'), ['whole']);
  assert.deepEqual(texts('{"t":12}'), []);
  assert.deepEqual(texts('{"t":{"Ann Lee":1234,"name":[0.25]}}'), ['Ann Lee', '1234', '0.25']);
  assert.equal(texts('{"t":null}'), null);
});

test('a later member of the same name replaces the former', () => {
  const shape = object({ a: object({ b: SCALAR }) });
  assert.deepEqual(toJson(read('{"a":{"b":1},"a":{"c":2}}', shape)), { a: {} });
});

test('texts of members without a shape are kept together, with names that are no identifiers', () => {
  const shape = objectWithTexts({ a: SCALAR }, 2);
  const text = '{"a":1,"b":"xyz","c":{"d":["uv",7,12],"e f":null},"g h":true,"i":null,"b":"st"}';
  const kept = read(text, shape) as ReadonlyMap<string, Kept>;
  assert.deepEqual([...kept.keys()], ['a', REST]);
  assert.deepEqual((kept.get(REST) as Texts).list, ['xyz', 'uv', '12', 'e f', 'g h', 'st']);
  const own = read(`{${JSON.stringify(REST)}:"xyz"}`, shape) as ReadonlyMap<string, Kept>;
  assert.deepEqual((own.get(REST) as Texts).list, ['xyz']);
});
