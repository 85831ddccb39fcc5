import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { createRedactor, createRestorer, restoreTokens } from '../../src/index.ts';
import { restorerOf } from '../../src/redaction/token-restorer.ts';

const KEY = new Uint8Array(32).fill(7);
const VALUES = new Map([
  ['EMAIL_BCDFGHJKLM', 'jane@example.org'],
  ['EMAIL_TTTTTTTTTT', 'bob@example.net'],
  ['IP_ADDRESS_BCDFGHJKLM', '10.1.2.3'],
  ['ADDRESS_NPQRSTBCDF', '1 Main Street'],
  // A name that begins as another one with its code.
  ['P_BCDFGHJKLM', 'x'],
  ['P_BCDFGHJKLM_Q_BCDFGHJKLM', 'y'],
]);
const PIECES = fc.oneof(
  fc.constantFrom(...[...VALUES.keys()].flatMap(formsOf)),
  fc.constantFrom(
    '[',
    ']',
    ' ',
    '_',
    '-',
    'E',
    'EMAIL',
    'IP',
    'x',
    '7',
    '.',
    '\n',
    'é',
    '𝐀',
    '😀',
    'K',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const TEXTS = fc.array(PIECES, { maxLength: 12 }).map((pieces) => pieces.join(''));

/** A token as a model may write it. */
function formsOf(token: string): string[] {
  const half = token.slice(0, token.length / 2);
  return [
    `[${token}]`,
    token,
    token.toLowerCase(),
    token.replaceAll('_', ' '),
    token.replaceAll('_', ''),
    [...token.slice(0, 4)].join('-') + token.slice(4),
    half,
    `[${half}`,
    ...writingsOf(token),
  ];
}

/** A token as it is escaped, encoded and wrapped. */
function writingsOf(token: string): string[] {
  const parts = (by: string) => token.replaceAll('_', by);
  return [
    `\\[${parts('\\_')}\\]`,
    `[${parts('\\_')}]`,
    `\\\\[${parts('\\\\_')}\\\\]`,
    `[${parts('_\n> ')}]`,
    `[${parts('_\r\n> > ')}]`,
    `[${token.slice(0, -4)}=\r\n${token.slice(-4)}]`,
    `\\u005b${token}\\u005d`,
    `\\\\u005B${token}]`,
    `&#91;${token}&#93;`,
    `&#x5B;${parts('&#95;')}&#x5d;`,
    `&lbrack;${parts('&lowbar;')}&rsqb;`,
    `[${parts('_\n')}]`,
    `[${parts('\\_\r\n    ')}]`,
    `[${token.slice(0, -4)}\n  ${token.slice(-4)}]`,
    `[${token.slice(0, 2)}\u00ad${token.slice(2)}]`,
    `[${parts('_<wbr>')}]`,
    parts('\u200b'),
  ];
}

/** The text cut at some places, between the halves of a pair too. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index]));
}

describe('a text that comes in parts', () => {
  const restorer = restorerOf({ values: VALUES, numbers: new Set() });

  it('quoted numbers come back in a text that is cut anywhere as in the whole text', () => {
    const ofNumbers = restorerOf({ values: VALUES, numbers: new Set(VALUES.keys()) });
    const quoted = fc.array(fc.oneof(PIECES, fc.constantFrom('"', '\\', '\\"', ':')), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(quoted, fc.array(fc.nat(), { maxLength: 12 }), (pieces, places) => {
        const text = pieces.join('');
        const parts = ofNumbers.open();
        const given = cut(text, places).map((part) => parts.feed(part));
        assert.equal(given.join('') + parts.end(), ofNumbers.restore(text));
      }),
      { numRuns: roundsOf(2_000) },
    );
  });

  it('values come back in a text that is cut anywhere as in the whole text', () => {
    fc.assert(
      fc.property(TEXTS, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        const parts = restorer.open();
        const given = cut(text, places).map((part) => parts.feed(part));
        assert.equal(given.join('') + parts.end(), restorer.restore(text));
      }),
      { numRuns: roundsOf(2_000) },
    );
  });

  it('values come back in a text that comes unit by unit', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        const parts = restorer.open();
        const given = text.split('').map((unit) => parts.feed(unit));
        assert.equal(given.join('') + parts.end(), restorer.restore(text));
      }),
      { numRuns: roundsOf(500) },
    );
  });

  it('no more is held back than a token is long, and nothing of a text in which none begins', () => {
    const longest = 16 + 8 * Math.max(...[...VALUES.keys()].map(({ length }) => length));
    fc.assert(
      fc.property(TEXTS, (text) => {
        const parts = restorer.open();
        let missing = '';
        for (const unit of text.split('')) {
          const given = parts.feed(unit);
          missing = given === '' ? missing + unit : '';
          assert.ok(missing.length <= longest, missing);
        }
      }),
    );
    assert.equal(
      restorer.open().feed('Your parcel left this morning.'),
      'Your parcel left this morning.',
    );
  });

  for (const [token, value] of [...VALUES].slice(0, 3)) {
    it(`a restorer reads escaped, encoded and wrapped writings of ${token}`, () => {
      for (const written of writingsOf(token)) {
        const text = `Write to ${written}, or (${written}).`;
        assert.equal(restorer.restore(text), `Write to ${value}, or (${value}).`, written);
      }
    });

    it(`a restorer encodes a value where its token is percent-encoded: ${token}`, () => {
      const [encoded, twice] = [encodeURIComponent(value), value.replaceAll('@', '%2540')];
      for (const [written, expected] of [
        [`%5B${token}%5D`, encoded],
        [`%5b${token.replaceAll('_', '%5F')}%5d`, encoded],
        [token.replaceAll('_', '%5f'), encoded],
        [`%255B${token}%255D`, twice],
      ] as const) {
        const text = (part: string) => `https://crm.example/find?q=${part}&page=1`;
        assert.equal(restorer.restore(text(written)), text(expected));
        const parts = restorer.open();
        const streamed = text(written).split('').map(parts.feed).join('') + parts.end();
        assert.equal(streamed, text(expected));
      }
    });
  }

  it('a token of another map stays, whole or in parts', () => {
    const other = 'Write to [EMAIL_CCCCCCCCCC], EMAIL_CCCCCCCCCC or [SSN_BCDFGHJKLM].';
    assert.equal(restorer.restore(other), other);
    const parts = restorer.open();
    assert.equal(other.split('').map(parts.feed).join('') + parts.end(), other);
  });

  it('a sealed map opens for texts in parts', () => {
    const redactor = createRedactor({ style: 'token' });
    const redacted = redactor.redact('To jane@example.org', [
      { type: 'email', score: 1, start: 3, end: 19 },
    ]);
    const restorer = createRestorer(redactor.seal(KEY), KEY);
    const parts = restorer.open();
    const text = redacted.split('').map(parts.feed).join('') + parts.end();
    assert.equal(text, 'To jane@example.org');
    assert.equal(restorer.restore(redacted), text);
    assert.equal(restoreTokens(redacted, redactor.seal(KEY), KEY), text);
  });

  it('a map without tokens changes nothing', () => {
    const none = createRedactor({ style: 'token' }).restorer();
    assert.equal(none.restore('[EMAIL_B'), '[EMAIL_B');
    assert.equal(none.open().feed('[E'), '[E');
    assert.equal(none.open().end(), '');
  });
});

describe('tokens made with a key', () => {
  const mark = (text: string) => [{ type: 'email', score: 1, start: 0, end: text.length }];
  const tokenOf = (key: Uint8Array, value: string) =>
    createRedactor({ style: 'token', key }).redact(value, mark(value));

  it('redactors with the same key give a value the same token, in whatever order', () => {
    const key = new Uint8Array(32).fill(1);
    const one = createRedactor({ style: 'token', key });
    const other = createRedactor({ style: 'token', key });
    const values = ['jane@example.org', 'bob@example.net'];
    const first = values.map((value) => one.redact(value, mark(value)));
    const second = values.toReversed().map((value) => other.redact(value, mark(value)));
    assert.deepEqual(first, second.toReversed());
    assert.match(first[0] ?? '', /^\[EMAIL_[B-DF-HJ-NP-T]{10}\]$/);
    assert.notEqual(first[0], first[1]);
  });

  it('another key, another type or another value gives another token', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 40 });
    fc.assert(
      fc.property(bytes, bytes, fc.emailAddress(), fc.emailAddress(), (key, other, value, next) => {
        fc.pre(Buffer.compare(key, other) !== 0 && value !== next);
        assert.notEqual(tokenOf(key, value), tokenOf(other, value));
        assert.notEqual(tokenOf(key, value), tokenOf(key, next));
      }),
    );
  });

  it('a token that stands in the text already is not made again', () => {
    const key = new Uint8Array(16);
    const value = 'jane@example.org';
    const text = `${value} ${tokenOf(key, value)}`;
    const redactor = createRedactor({ style: 'token', key });
    const redacted = redactor.redact(text, [
      { type: 'email', score: 1, start: 0, end: value.length },
    ]);
    const [made, there] = redacted.split(' ');
    assert.notEqual(made, there);
    assert.equal(redactor.restorer().restore(redacted), text);
  });

  it('a key that is short, or no bytes, is refused', () => {
    const message = (got: string) =>
      `createRedactor: key must be at least 16 bytes (a Uint8Array); got ${got}.`;
    assert.throws(() => createRedactor({ key: new Uint8Array(15) }), { message: message('15') });
    assert.throws(() => createRedactor({ key: 'secret' as never }), { message: message('string') });
  });
});

describe('a redactor for answers', () => {
  const mark = (text: string, value: string) => {
    const start = text.indexOf(value);
    return [{ type: 'email', score: 1, start, end: start + value.length }];
  };

  it('gives values the tokens of the request, and never turns back what only the answer has', () => {
    const redactor = createRedactor({ style: 'token' });
    const asked = redactor.redact(
      'I am jane@example.org',
      mark('I am jane@example.org', 'jane@example.org'),
    );
    const answers = redactor.forAnswers();
    const known = answers.redact('jane@example.org', mark('jane@example.org', 'jane@example.org'));
    const fresh = answers.redact('bob@example.net', mark('bob@example.net', 'bob@example.net'));
    assert.equal(asked, `I am ${known}`);
    assert.equal(
      answers.redact('bob@example.net', mark('bob@example.net', 'bob@example.net')),
      fresh,
    );
    for (const restorer of [redactor.restorer(), createRestorer(redactor.seal(KEY), KEY)]) {
      assert.equal(restorer.restore(`${known} ${fresh}`), `jane@example.org ${fresh}`);
    }
    redactor.redact('bob@example.net', mark('bob@example.net', 'bob@example.net'));
    assert.equal(redactor.restorer().restore(fresh), 'bob@example.net');
  });
});
