import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { digitsOf } from '../src/messages/json-source.ts';
import { keepNumbers, numberText, parseJson, writeJson } from '../src/messages/number-texts.ts';

const NUMBERS = [
  ...['9007199254740993', '-9223372036854775808', '18446744073709551615', '1.0', '-0', '0.0'],
  ...['1e400', '-1E+400', '1e5', '1E-7', '0.1000', '3.14159265358979323846264338327950288'],
];

const NUMBER = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);
const NAME = fc.string().map((name) => JSON.stringify(`n${name}`));
const { source: SOURCE } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    NUMBER,
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('source')).map((list) => `[${list.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(NAME, tie('source')), { selector: ([name]) => name })
      .map((members) => `{${members.map((member) => member.join(':')).join(',')}}`),
  ),
}));

describe('JSON with numbers as they were written', () => {
  it('comes out as it came in, whatever it is', () => {
    fc.assert(
      fc.property(SOURCE, (source) => {
        const wrapped = `{"value":${source}}`;
        const value = parseJson(wrapped);
        assert.deepEqual(value, JSON.parse(wrapped));
        assert.equal(writeJson(value), wrapped);
        assert.equal(writeJson(value, value), wrapped);
        assert.equal(writeJson(structuredClone(value), value), wrapped);
      }),
    );
  });

  it('keeps the numbers around a text that is replaced', () => {
    const source = '{"a":[{"id":9007199254740993,"to":"x"},1.0],"n":-0,"to":"x"}';
    const value = parseJson(source) as { a: [{ id: number; to: string }, number]; n: number };
    const changed = { ...value, a: [{ ...value.a[0], to: 'y' }, value.a[1]] };
    const expected = '{"a":[{"id":9007199254740993,"to":"y"},1.0],"n":-0,"to":"x"}';
    assert.equal(writeJson(changed, value), expected);
  });

  it('writes the new value of a changed number', () => {
    const value = parseJson('{"a":9007199254740993,"b":1.0}') as object;
    assert.equal(writeJson({ ...value, a: 5 }, value), '{"a":5,"b":1.0}');
    assert.equal(writeJson({ ...value, b: 'x' }, value), '{"a":9007199254740993,"b":"x"}');
  });

  it('keeps the number texts of a marked copy', () => {
    const value = parseJson('{"id":9007199254740993}') as { id: number };
    const copy = keepNumbers({ id: value.id, error: {} }, value);
    assert.equal(writeJson([copy]), '[{"id":9007199254740993,"error":{}}]');
    assert.equal(numberText(copy, 'id', copy.id), '9007199254740993');
  });

  it('keeps the number of a member whose name is replaced', () => {
    const value = parseJson('{"a":9007199254740993,"b":1.0}') as object;
    const copy = keepNumbers({ b: 9007199254740992, a: 1 }, value, ['b', 'a']);
    assert.equal(writeJson(copy), '{"b":9007199254740993,"a":1.0}');
  });

  it('takes the last of two members of one name', () => {
    const source = '{"a":{"x":9007199254740993},"a":{"x":9007199254740995}}';
    assert.equal(writeJson(parseJson(source)), '{"a":{"x":9007199254740995}}');
  });

  it('gives the digits of a number without its exponent and an empty fraction', () => {
    const cases = [
      ['4539148803436467123', '4539148803436467123'],
      ['4539148803436467.0', '4539148803436467'],
      ['4.539148803436467e15', '4539148803436467'],
      ['45391488034364670E-1', '4539148803436467'],
      ['-12e2', '-1200'],
      ['0.50', '0.50'],
      ['-0', '-0'],
      ['0e3', '0'],
      ['1e400', '1e400'],
      ['Infinity', 'Infinity'],
    ] as const;
    for (const [raw, digits] of cases) assert.equal(digitsOf(raw), digits, raw);
  });
});
