import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPipeline, createRedactor, RedactionError, restoreTokens } from '../../src/index.ts';
import { maskValue } from '../../src/redaction/replacements.ts';
import { PII_POSITIVES } from '../fixtures/pii.ts';

const KEY = new Uint8Array(32).fill(7);
const TEXTS = Object.values(PII_POSITIVES)
  .flat()
  .map((marked) => marked.replace(/[«»]/g, ''));

describe('redacting and then scanning finds nothing', () => {
  const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });
  for (const style of ['placeholder', 'mask', 'token'] as const) {
    it(`scanning a redacted text finds nothing, in any joined texts, with the style ${style}`, async () => {
      const texts = fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(texts, fc.constantFrom('\n', '\n\n', '\r\n'), async (some, glue) => {
          const text = some.join(glue);
          const { findings } = await pipeline.scan({ response: text });
          const redacted = createRedactor({ style }).redact(text, findings);
          const again = await pipeline.scan({ response: redacted });
          assert.deepEqual(again.findings, [], redacted);
        }),
      );
    });
  }
});

describe('placeholders', () => {
  it('placeholders are the same for the same value, in all texts of a redactor', () => {
    const redactor = createRedactor();
    const mark = (text: string, value: string, type = 'ssn') => {
      const start = text.indexOf(value);
      return { type, score: 1, start, end: start + value.length };
    };
    const first = 'a 536-22-8726 b';
    const second = 'c 536 22 8726 d 219-09-1111';
    assert.equal(redactor.redact(first, [mark(first, '536-22-8726')]), 'a [SSN_1] b');
    assert.equal(
      redactor.redact(second, [mark(second, '219-09-1111'), mark(second, '536 22 8726')]),
      'c [SSN_1] d [SSN_2]',
    );
  });
});

describe('masks', () => {
  const cases: readonly [string, string, string][] = [
    ['credit_card', '4111 1111 1111 1234', '**** **** **** 1234'],
    ['credit_card', '4111111111111234', '************1234'],
    ['phone_number', '+49 (0) 170-1234567', '+** (*) ***-*******'],
    ['ssn', '536-22-8726', '***-**-****'],
    ['email', 'jane.doe@mail.example.org', 'j***.***@****.*******.org'],
    ['email', 'j@example.org', '*@*******.org'],
    ['ip_address', '10.20.3.4', '10.**.*.*'],
    ['ip_address', '2001:db8::1', '****:***::*'],
    ['bank_account', 'DE89 3704 0044 0532 0130 00', '**** **** **** **** **30 00'],
    ['passport', 'C01X00T47', '*******47'],
    // Written in a way that its type is not: nothing stays.
    ['credit_card', 'NDExMSAxMTEx', '************'],
    ['email', 'jane%40example', '****%*********'],
    ['prompt_injection', 'do it', '** **'],
    // Tag letters, variation selectors, bits.
    ['ssn', '\u{e0035}\u{e0033}\u{e0125}', '******'],
    ['email', '\u{e0161}\u{e0130}\ufe01', '*****'],
    ['ip_address', '\u200b\u200c\u200d', '***'],
  ];
  for (const [type, value, mask] of cases) {
    it(`masks keep the shape: ${type} ${value}`, () => assert.equal(maskValue(type, value), mask));
  }

  it('masks are as long as the value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(PII_POSITIVES)), fc.string(), (type, value) => {
        assert.equal(maskValue(type, value).length, value.length);
      }),
    );
  });
});

describe('tokens', () => {
  const marksOf = (text: string, cuts: readonly (readonly [number, number])[]) =>
    cuts.map(([start, length], index) => ({
      type: index % 2 === 0 ? 'email' : 'credit_card',
      score: 1,
      start: Math.min(start, text.length),
      end: Math.min(start + length, text.length),
    }));

  it('tokens are turned back into exactly the text that was redacted', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('[', ']', '[EMAIL_', '_', '[[', 'jane@example.org', 'EMAIL_BCDFGHJKLM'),
    );
    const cut = fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(cut), (pieces, cuts) => {
        const text = pieces.join('');
        const redactor = createRedactor({ style: 'token' });
        const marks = marksOf(text, cuts).filter(({ start, end }) => end > start);
        const redacted = redactor.redact(text, marks);
        assert.equal(restoreTokens(redacted, redactor.seal(KEY), KEY), text);
      }),
    );
  });

  it('tokens are recognized after a model has reworded the text around them', () => {
    const redactor = createRedactor({ style: 'token' });
    const text = 'pay with 4111 1111 1111 1111 now';
    const redacted = redactor.redact(text, [{ type: 'credit_card', score: 1, start: 9, end: 28 }]);
    const token = /\[(\S+)\]/.exec(redacted)?.[1] ?? '';
    const sealed = redactor.seal(KEY);
    const value = '4111 1111 1111 1111';
    const forms: readonly [string, string][] = [
      [`"${token}"?`, `"${value}"?`],
      [`**[${token.toLowerCase()}]**'s`, `**${value}**'s`],
      [`(${token.replaceAll('_', ' ')}),`, `(${value}),`],
      [`_${token.replaceAll('_', '-')}_.`, `_${value}_.`],
      [`[${token}`, `[${value}`],
      [`x${token}`, `x${token}`],
      [`${token.slice(0, -1)}`, `${token.slice(0, -1)}`],
    ];
    for (const [form, expected] of forms) {
      assert.equal(restoreTokens(form, sealed, KEY), expected);
    }
  });

  it('tokens reveal nothing of their value, and differ from one redactor to the next', () => {
    const make = () => {
      const mark = { type: 'ssn', score: 1, start: 0, end: 11 };
      return createRedactor({ style: 'token' }).redact('536-22-8726', [mark]);
    };
    const tokens = new Set(Array.from({ length: 50 }, make));
    assert.equal(tokens.size, 50);
    for (const token of tokens) assert.match(token, /^\[SSN_[B-DF-HJ-NP-T]{10}\]$/);
  });

  it('token maps cannot be opened without the key, and reveal damage', () => {
    const redactor = createRedactor({ style: 'token' });
    redactor.redact('secret', [{ type: 'email', score: 1, start: 0, end: 6 }]);
    const sealed = redactor.seal(KEY);
    assert.ok(!Buffer.from(sealed.slice(3), 'base64url').toString('latin1').includes('secret'));
    const wrong = new Uint8Array(32).fill(8);
    assert.throws(() => restoreTokens('x', sealed, wrong), RedactionError);
    assert.throws(() => redactor.seal(new Uint8Array(16)), /must have 32 bytes, not 16/);
    assert.throws(() => restoreTokens('x', 'r1.abc', KEY), /not a sealed token map/);
    assert.throws(() => restoreTokens('x', `r2${sealed.slice(2)}`, KEY), /not a sealed token map/);
    for (const added of ['.', '.x', '=', ' ', '\n', '!']) {
      assert.throws(() => restoreTokens('x', sealed + added, KEY), /not a sealed token map/);
    }
    for (let at = 3; at < sealed.length; at += 7) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const damaged = sealed.slice(0, at) + other + sealed.slice(at + 1);
      assert.throws(() => restoreTokens('x', damaged, KEY), RedactionError);
    }
  });

  it('tokens, masks and placeholders can be chosen by type', () => {
    const redactor = createRedactor({ styles: { ssn: 'mask', email: 'token' } });
    const text = 'a@b.io 536-22-8726 10.2.3.4';
    const redacted = redactor.redact(text, [
      { type: 'email', score: 1, start: 0, end: 6 },
      { type: 'ssn', score: 1, start: 7, end: 18 },
      { type: 'ip_address', score: 1, start: 19, end: 27 },
    ]);
    assert.match(redacted, /^\[EMAIL_\w{10}\] \*{3}-\*{2}-\*{4} \[IP_ADDRESS_1\]$/);
  });
});
