import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGuard, createPipeline } from '../../src/index.ts';
import { pii } from '../../src/pii/index.ts';
import { createStreamScanner } from '../../src/stream/stream-scanner.ts';

const pipeline = createPipeline({ stages: [pii()] });

/** Values by type, cut where a line may end. */
const VALUES: readonly (readonly [string, readonly [string, string]])[] = [
  ['credit_card', ['4539 1488', '0343 6467']],
  ['credit_card', ['4539-1488-', '0343-6467']],
  ['credit_card', ['4539 14', '88 0343 6467']],
  ['credit_card', ['3782 822463', '10005']],
  ['phone_number', ['(415)', '555-2671']],
  ['phone_number', ['+49 30', '901820']],
  ['bank_account', ['DE89 3704 0044 0532', '0130 00']],
  ['bank_account', ['DE89 3704 0044 05', '32 0130 00']],
  ['bank_account', ['GB29 NWBK 6016', '1331 9268 19']],
  ['email', ['ana.meier@', 'example.org']],
  ['email', ['ana.meier', '@example.org']],
  ['email', ['ana.meier@example.', 'org']],
  ['email', ['ana.meier@exam-', 'ple.org']],
  ['ssn', ['536-22-', '8145']],
  ['ip_address', ['203.0.', '113.45']],
  ['ip_address', ['203.0.113', '.45']],
];
const BREAKS = [
  ...['\n', '\r\n', ' \n    ', '\n> ', '\n>> > ', '\r\n\t', '\r', '\f', '\u2028'],
  ...['<br>', '<br/>\n', '\\n', '\\r\\n'],
];

async function findingsIn(text: string): Promise<string[]> {
  const { findings } = await pipeline.scan({ response: text });
  return findings.map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`);
}

describe('values over a line break', () => {
  for (const [type, [before, after]] of VALUES) {
    it(`finds ${type} over a line break: ${before} | ${after}`, async () => {
      for (const lineBreak of BREAKS) {
        const value = before + lineBreak + after;
        const text = `It is written down as ${value}, and nothing else is.`;
        assert.deepEqual(await findingsIn(text), [`${type}: ${value}`], JSON.stringify(text));
      }
    });
  }

  it('finds a value over a soft line break of quoted-printable text', async () => {
    for (const [type, value] of [
      ['credit_card', '4539 1488 =\n0343 6467'],
      ['credit_card', '4539 14=\r\n88 0343 6467'],
      ['bank_account', 'DE89370400440532=\n013000'],
      ['phone_number', '(415) 55=\n5-2671'],
      ['email', 'ana.meier@exam=\nple.org'],
      ['email', 'ana.me=\r\nier@example.org'],
      ['ssn', '536-22-=\n8145'],
    ]) {
      const text = `It is written down as ${value}, and nothing else is.`;
      assert.deepEqual(await findingsIn(text), [`${type}: ${value}`], JSON.stringify(text));
    }
  });

  it('finds a card whose groups have a line each, after words', async () => {
    for (const lineBreak of ['\n', '\r\n']) {
      const value = ['4539', '1488', '0343', '6467'].join(lineBreak);
      for (const text of [`Card: ${value}`, `My card is${lineBreak}${value}${lineBreak}Thanks.`]) {
        assert.deepEqual(await findingsIn(text), [`credit_card: ${value}`]);
      }
      assert.deepEqual(await findingsIn(`Rooms:\n1001\n${value}\n1002`), []);
    }
  });

  it('finds an address with =40 and a card with an exponent, and no size or number in code', async () => {
    const card = '4.539148803436467e15';
    for (const [text, value] of [
      ['Write to jane.roe=40example.org today.', 'jane.roe=40example.org'],
      ['Reply-To: jane=40example.org', 'jane=40example.org'],
      [`{"card":${card},"limit":1.5e3}`, card],
    ] as const) {
      const found = await findingsIn(text);
      assert.deepEqual(
        found.map((each) => each.split(': ')[1]),
        [value],
      );
    }
    for (const text of [
      'margin=40px.solid',
      'x=40em.auto;',
      '?id=40example.org',
      '{"n":4.539148803436468e15}',
    ]) {
      assert.deepEqual(await findingsIn(text), [], text);
    }
  });

  it('finds a value that is all of two lines', async () => {
    for (const value of ['4539 1488\n0343 6467', '(415)\n555-2671', 'ana.meier@\nexample.org']) {
      assert.deepEqual(
        (await findingsIn(value)).map((found) => found.split(': ')[1]),
        [value],
      );
      const text = `Here it is:\n\n${value}\n\nThat is all.`;
      assert.deepEqual(
        (await findingsIn(text)).map((found) => found.split(': ')[1]),
        [value],
      );
    }
  });

  it('finds nothing in columns of numbers, tables and the ends of sentences', async () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const digits = (count: number) =>
      Array.from({ length: count }, () => String(random(10))).join('');
    const lines = (line: () => string) => Array.from({ length: 60 }, line).join('\n');
    const texts = [
      lines(() => digits(4)),
      lines(() => digits(8)),
      lines(() => `${digits(4)} ${digits(4)}`),
      lines(() => `4539 1488 ${digits(4)} ${digits(2)}`),
      lines(() => String(random(1e6))),
      lines(() => `item ${random(99)},${digits(4)},${digits(8)}`),
      lines(() => `| ${digits(4)} ${digits(4)} | part ${digits(3)} | ${digits(4)} |`),
      lines(
        () => `Bolt M${random(9)}\t${random(99)}\t${random(900)}.00\t${digits(4)} ${digits(4)}`,
      ),
      lines(() => `${random(28) + 1}.0${random(9) + 1}.2024 ${digits(4)} ${random(900)},00`),
      lines(() => `2024-01-0${random(9) + 1} 10:${10 + random(50)}:00 ${digits(6)}`),
      'He was born in 1980.\n1995 he moved to Rome (see page 12)\n14 more years passed.',
      'The mail is from Ana @\nexample: see above.\nOnly @mentions\nof names are there.',
      'Totals of 2023\n2024 and 2025 are in section 3.\n4.1 has more.',
    ];
    for (const text of texts) assert.deepEqual(await findingsIn(text), [], text.slice(0, 200));
  });

  it('leaves an address at the end of a sentence as it is', async () => {
    const text = 'Write to ana@example.com.\nIs that all? Or to bob@example.org,\nor nobody.';
    assert.deepEqual(await findingsIn(text), ['email: ana@example.com', 'email: bob@example.org']);
  });

  it('holds a stream back over the break, wherever it is cut', async () => {
    const policy = {
      ...{ id: 'p', name: 'Redact' },
      rules: [{ stage: 'pii_scanner', action: 'redact' as const }],
    };
    const guard = createGuard({ pipeline, policies: [policy] });
    const filler = 'The parcel left the warehouse this morning. '.repeat(12);
    for (const [type, [before, after]] of VALUES) {
      const text = `${filler}It is ${before}\n> ${after}, as said. ${filler}`;
      for (const size of [1, 5, 33]) {
        const { policies } = guard;
        const scanner = createStreamScanner(guard.pipeline, { policies, holdBack: 64 });
        let given = '';
        for (let at = 0; at < text.length; at += size) {
          given += (await scanner.feed(text.slice(at, at + size))).text;
        }
        given += (await scanner.end()).text;
        assert.equal(given, `${filler}It is [${type.toUpperCase()}_1], as said. ${filler}`);
      }
    }
  });
});
