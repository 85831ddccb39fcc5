import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RedactionStyle } from '../../src/index.ts';
import { createGuard, createRedactor, createRestorer, restoreTokens } from '../../src/index.ts';
import { createJsonNumbers } from '../../src/redaction/json-numbers.ts';
import { createStreamScanner } from '../../src/stream/stream-scanner.ts';

const CARD = '4539148803436467';
const KEY = new Uint8Array(32).fill(7);
const LABEL = '[CREDIT_CARD_1]';
const REDACT = {
  ...{ id: 'p', name: 'Redact' },
  rules: [{ stage: 'pii_scanner', action: 'redact' as const }],
};
const guard = createGuard({ policies: [REDACT] });

/** Each text with the card, and as it comes out redacted. */
const CASES = [
  [`{"name":"x","card":${CARD},"ok":true}`, `{"name":"x","card":"${LABEL}","ok":true}`],
  [`{"card": ${CARD} }`, `{"card": "${LABEL}" }`],
  [`{"card":${CARD}.0}`, `{"card":"${LABEL}"}`],
  [`{"card":-${CARD}}`, `{"card":"${LABEL}"}`],
  [`[[${CARD}, 5], []]`, `[["${LABEL}", 5], []]`],
  [`{"a":[1,{"b":${CARD}\n}]}`, `{"a":[1,{"b":"${LABEL}"\n}]}`],
  [
    `Here it is:\n\`\`\`json\n{\n  "card": ${CARD}\n}\n\`\`\`\nIs {it} right [1]?`,
    `Here it is:\n\`\`\`json\n{\n  "card": "${LABEL}"\n}\n\`\`\`\nIs {it} right [1]?`,
  ],
  [`{"card":${CARD}}\n{"card":${CARD}}`, `{"card":"${LABEL}"}\n{"card":"${LABEL}"}`],
  [`{"text":"{\\"card\\":${CARD}}"}`, `{"text":"{\\"card\\":\\"${LABEL}\\"}"}`],
  [`{"text":"{\\"card\\":\\n ${CARD}\\n}"}`, `{"text":"{\\"card\\":\\n \\"${LABEL}\\"\\n}"}`],
  [`"{\\"cards\\":[${CARD}]}"`, `"{\\"cards\\":[\\"${LABEL}\\"]}"`],
  [`{"card":"${CARD}"}`, `{"card":"${LABEL}"}`],
  [`{"note":"card ${CARD}, ok"}`, `{"note":"card ${LABEL}, ok"}`],
  [`Pay with ${CARD}, or {not: ${CARD}}.`, `Pay with ${LABEL}, or {not: ${LABEL}}.`],
  [`{'card': ${CARD}}`, `{'card': ${LABEL}}`],
  [`(card ${CARD}, [see ${CARD}])`, `(card ${LABEL}, [see ${LABEL}])`],
] as const;

async function redacted(text: string, style: RedactionStyle = 'placeholder'): Promise<string> {
  const redactor = createRedactor({ style });
  const messages = [{ role: 'user', content: text }];
  const checked = await guard.check({ messages }, { redactor });
  return (checked.messages as unknown as [{ content: string }])[0].content;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('numbers of JSON in a text', () => {
  for (const [text, expected] of CASES) {
    it(`redaction keeps JSON valid: ${text}`, async () => {
      assert.equal(await redacted(text), expected);
      if (isJson(text)) assert.ok(isJson(await redacted(text, 'mask')));
    });
  }

  it('a stream is redacted as its whole text is, wherever it is cut', async () => {
    const filler = 'The parcel left the warehouse this morning. '.repeat(12);
    for (const [text, expected] of CASES) {
      for (const [whole, right] of [
        [text, expected],
        [`${filler}\n${text}\n${filler}`, `${filler}\n${expected}\n${filler}`],
      ] as const) {
        for (const size of [1, 7, 64]) {
          const policies = guard.policies;
          const scanner = createStreamScanner(guard.pipeline, { policies, holdBack: 64 });
          let given = '';
          for (let at = 0; at < whole.length; at += size) {
            given += (await scanner.feed(whole.slice(at, at + size))).text;
          }
          given += (await scanner.end()).text;
          assert.equal(given, right, `${size}: ${text}`);
        }
      }
    }
  });

  it('tokens are turned back into exactly the text, also where a string has the same value', async () => {
    const others = [
      `{"a":${CARD},"b":"${CARD}"}`,
      `{"a":"${CARD}","b":${CARD},"c":"card ${CARD}"}`,
      `card ${CARD}, {"a":[${CARD}.0,${CARD}]}`,
    ];
    for (const text of [...CASES.map(([each]) => each), ...others]) {
      const redactor = createRedactor({ style: 'token' });
      const messages = [{ role: 'user', content: text }];
      const checked = await guard.check({ messages }, { redactor });
      const { content } = (checked.messages as unknown as [{ content: string }])[0];
      assert.ok(!content.includes(CARD), content);
      const sealed = redactor.seal(KEY);
      assert.equal(restoreTokens(content, sealed, KEY), text);
      assert.equal(redactor.restorer().restore(content), text);
      const parts = createRestorer(sealed, KEY).open();
      assert.equal(content.split('').map(parts.feed).join('') + parts.end(), text);
    }
  });

  it('all numbers of valid JSON are found, in strings of JSON too, in whatever parts it comes', () => {
    const json = fc.json({ maxDepth: 5 });
    fc.assert(
      fc.property(json, fc.nat(3), fc.nat(2), (given, indent, levels) => {
        const source = JSON.stringify([JSON.parse(given)], undefined, indent);
        let text = source;
        for (let level = 0; level < levels; level++) text = JSON.stringify({ in: text });
        const reader = createJsonNumbers();
        const found = [...text].flatMap((unit) => reader.feed(unit));
        const expected = createJsonNumbers().feed(text);
        assert.deepEqual(found, expected);
        for (const { start, end } of found) assert.ok(isJson(text.slice(start, end)));
        let replaced = '';
        let copied = 0;
        for (const { start, end, quote } of found) {
          replaced += `${text.slice(copied, start)}${quote}x${quote}`;
          copied = end;
        }
        let inner = replaced + text.slice(copied);
        for (let level = 0; level < levels; level++)
          inner = (JSON.parse(inner) as { in: string }).in;
        const toTexts = (_: string, value: unknown) => (typeof value === 'number' ? 'x' : value);
        // Strings that are JSON themselves have numbers as well.
        if (/[[{]/.test(JSON.stringify(JSON.parse(given)).replace(/^[[{]/, ''))) return;
        assert.deepEqual(
          JSON.parse(inner),
          JSON.parse(JSON.stringify(JSON.parse(source), toTexts)),
        );
      }),
    );
  });
});
