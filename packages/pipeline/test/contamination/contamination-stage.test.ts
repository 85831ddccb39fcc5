import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPipeline } from '../../src/index.ts';

const SECRET =
  'You are Hazel, the assistant of the Brightwater ferry line. Never tell passengers that the night boat sails without a second officer, and send every complaint about seasickness to the harbour office in Kesselport.';
const OTHER =
  'The quarterly plan sets aside forty thousand crowns for new ropes, lanterns and a copper bell that the old chapel gave away in spring.';
const HOST = 'Thank you for asking about our boats.';

const guard = (options: Record<string, unknown> = {}) =>
  createPipeline({
    stages: [{ name: 'contamination_check', options: { protected: [SECRET, OTHER], ...options } }],
  });

async function scan(response: string, options: Record<string, unknown> = {}) {
  const { findings, scores } = await guard(options).scan({ response });
  return { findings, score: scores.contamination ?? -1 };
}

const words = SECRET.split(' ');
const quote = words.slice(8, 26).join(' ');

function turn(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode(code + ((code & 31) <= 13 ? 13 : -13));
  });
}

describe('contamination_check', () => {
  it('contamination_check finds a row of words of a protected text and reports its place', async () => {
    const response = `${HOST} ${quote} Have a good day.`;
    const { findings, score } = await scan(response);
    const [found] = findings;
    assert.ok(score >= 0.9 && found !== undefined);
    assert.equal(found.type, 'verbatim');
    assert.equal(response.slice(found.start, found.end), quote.replace(/[.,]$/, ''));
    assert.ok(!found.reason.includes('passengers'));
  });

  it('contamination_check reports each of two copies that are close together', async () => {
    const response = `${HOST} ${SECRET} And once more: ${SECRET} Have a good day.`;
    const { findings } = await scan(response);
    assert.equal(findings.length, 2);
    for (const { start, end } of findings) {
      const copy = response.slice(start, end);
      assert.ok(SECRET.includes(copy) && copy.length > SECRET.length - 10, copy);
    }
  });

  const changed: [string, (text: string) => string][] = [
    ['in capital letters', (text) => text.toUpperCase()],
    ['without punctuation', (text) => text.replace(/[.,]/g, '')],
    ['broken into lines', (text) => text.split(' ').join('\n')],
    [
      'with full-width letters',
      (text) =>
        text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    ],
    ['with zero-width spaces in its words', (text) => text.replace(/e/g, 'e\u200b')],
    [
      'with every sixth word gone',
      (text) =>
        text
          .split(' ')
          .filter((_, at) => at % 6 !== 5)
          .join(' '),
    ],
    [
      'with a word put in here and there',
      (text) =>
        text
          .split(' ')
          .map((word, at) => (at % 6 === 5 ? `really ${word}` : word))
          .join(' '),
    ],
    [
      'with neighbors that changed places',
      (text) =>
        text
          .split(' ')
          .map((word, at, all) =>
            at === 4 ? (all[5] as string) : at === 5 ? (all[4] as string) : word,
          )
          .join(' '),
    ],
    [
      'with a slip of the pen in every fifth word',
      (text) =>
        text
          .split(' ')
          .map((word, at) =>
            at % 5 === 2 && word.length > 3 ? `${word[0]}${word.slice(2)}` : word,
          )
          .join(' '),
    ],
    ['with its words in the opposite order', (text) => text.split(' ').reverse().join(' ')],
    [
      'in two halves',
      (text) =>
        text
          .split(' ')
          .map((word, at) => (at === 9 ? `${word} (and so on) [...]` : word))
          .join(' '),
    ],
  ];
  for (const [name, change] of changed) {
    it(`contamination_check finds a protected text ${name}`, async () => {
      const { score } = await scan(`${HOST} ${change(quote)} Goodbye.`);
      assert.ok(score >= 0.5, String(score));
    });
  }

  const hidden: [string, string, string][] = [
    ['in base64', Buffer.from(quote).toString('base64'), 'encoded'],
    ['in hex', Buffer.from(quote).toString('hex'), 'encoded'],
    [
      'in base64 on several lines',
      Buffer.from(quote).toString('base64').replace(/.{64}/g, '$&\r\n'),
      'encoded',
    ],
    ['in ROT13', turn(quote), 'encoded'],
    ['from right to left', quote.split('').reverse().join(''), 'encoded'],
    ['in ROT13 in base64', Buffer.from(turn(quote)).toString('base64'), 'encoded'],
    [
      'with signs for letters',
      quote.replace(/[aeio]/g, (a) => '4310'['aeio'.indexOf(a)] ?? a),
      'encoded',
    ],
    ['in spaced letters', quote.split('').join(' '), 'encoded'],
    [
      'in tag characters',
      [...quote].map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0))).join(''),
      'hidden_text',
    ],
  ];
  for (const [name, payload, type] of hidden) {
    it(`contamination_check finds a protected text ${name}`, async () => {
      const response = `${HOST} ${payload} Goodbye.`;
      const { findings, score } = await scan(response);
      assert.ok(score >= 0.5, String(score));
      assert.ok(findings.some((found) => found.type === type));
      for (const { start, end } of findings)
        assert.ok(start >= HOST.length && end <= response.length);
    });
  }

  const clean: [string, string][] = [
    [
      'a text that shares only everyday words',
      'The night boat is late, so every passenger may ask the harbour office for a refund.',
    ],
    ['six words in a row', `${HOST} ${words.slice(8, 14).join(' ')} is what I know of. Goodbye.`],
    [
      'function words in the order of the text',
      'It is to be that of the and in a for the with a to the in.',
    ],
    ['nothing', ''],
    ['an emoji family and a flag', 'Hello 👨‍👩‍👧 from 🏴󠁧󠁢󠁥󠁮󠁧󠁿!'],
  ];
  for (const [name, response] of clean) {
    it(`contamination_check lets pass ${name}`, async () => {
      assert.ok((await scan(response)).score < 0.5);
    });
  }

  it('contamination_check tells a text in a script without blanks from another one on the same matter', async () => {
    const texts = {
      protected: [
        '董事会决定在明年夏天结束之前关闭北岸的工厂，并把两条包装线搬到河口镇，员工在三月九日之前不会知道这件事。',
      ],
    };
    const leak = await scan(
      '我听说：在明年夏天结束之前关闭北岸的工厂，并把两条包装线搬到河口镇。',
      texts,
    );
    assert.ok(leak.score > 0.9);
    const other =
      '去年夏天，北方的一家工厂在三月关闭了，员工们很早就知道这件事，两条新的包装线明年会搬到别的镇上去。';
    assert.ok((await scan(other, texts)).score < 0.5);
  });

  it('contamination_check finds a canary token in other case and punctuation', async () => {
    const canaries = ['PX-77-quince-1843'];
    const { findings } = await scan('The code is px 77 QUINCE 1843.', { canaries });
    assert.deepEqual(
      findings.map(({ type, start, end }) => [type, start, end]),
      [['canary', 12, 29]],
    );
  });

  it('contamination_check finds an identifier of a protected text, and the canary line of a benchmark', async () => {
    const id = '9f1c2d3e-4b5a-4678-8abc-0123456789ab';
    const { findings } = await scan(`It says ${id}.`, { protected: [`Reference ${id}: keep.`] });
    assert.equal(findings[0]?.type, 'canary');
    const line = await scan(`do not train on this, canary GUID ${id}`);
    assert.equal(line.findings[0]?.type, 'canary');
  });

  it('contamination_check reports the place of an enciphered text', async () => {
    for (const payload of [turn(quote), quote.split('').reverse().join('')]) {
      const response = `${HOST} ${payload} Goodbye.`;
      const { findings } = await scan(response);
      assert.deepEqual(
        findings.map(({ type, start, end }) => [type, start, end]),
        [['encoded', HOST.length + 1, HOST.length + 1 + payload.length]],
      );
    }
  });

  it('contamination_check follows a cipher across the blocks of a long response', async () => {
    for (const lead of [8170, 8190, 9100]) {
      const host = 'the sea is calm and the boat is on the way '.repeat(300);
      const response = `${host.slice(0, lead)} ${turn(SECRET)} ${host.slice(0, 9000)}`;
      const { score } = await scan(response);
      assert.ok(score > 0.5, String(lead));
    }
  });

  it('contamination_check finds a protected text of which there are many versions', async () => {
    const versions = Array.from({ length: 40 }, (_, at) => SECRET.replace('night', `night${at}`));
    const { findings } = await scan(`${HOST} ${quote} Bye.`, { protected: versions });
    assert.equal(findings.length, 1);
    assert.ok((findings[0]?.score ?? 0) > 0.9);
  });

  it('contamination_check finds a short protected text when all of it is there, and no part of it', async () => {
    const texts = { protected: ['Heron flies at dawn, bring the second ledger.'] };
    assert.ok(
      (await scan('He said: heron flies at DAWN - bring the second ledger!', texts)).score > 0.5,
    );
    assert.ok((await scan('A heron flies at dawn, bring a camera.', texts)).score < 0.5);
  });

  it('contamination_check finds what a protected text calls its token, and no name of a variable', async () => {
    const texts = { protected: ['Canary: OTTER-7731-QUINCE', 'Set return503OnClosing to true.'] };
    const { findings } = await scan('It ends with otter 7731 quince.', texts);
    assert.deepEqual(
      findings.map(({ type }) => type),
      ['canary'],
    );
    assert.equal((await scan('See the option return503OnClosing.', texts)).score, 0);
  });

  it('contamination_check treats a compound with and without hyphens as equal', async () => {
    const text =
      'It changes the find-my-way router and the route definition of the night boat line.';
    const { findings } = await scan(text.replace('find-my-way', 'findmyway'), {
      protected: [text],
    });
    assert.ok((findings[0]?.score ?? 0) > 0.9);
  });

  it('contamination_check reports a row of zero-width characters that can only be a code', async () => {
    const { findings } = await scan(`Fine.${'\u200b\u200c'.repeat(8)} Bye.`);
    assert.deepEqual(
      findings.map(({ type, start, end }) => [type, start, end]),
      [['hidden_text', 5, 21]],
    );
  });

  it('contamination_check follows a protected text across the blocks of a long response', async () => {
    for (const lead of [8170, 8190, 9100]) {
      const response = `${'lorem ipsum '.repeat(1000).slice(0, lead)} ${SECRET} ${'dolor sit '.repeat(900)}`;
      const { findings } = await scan(response);
      const best = findings.find(({ type }) => type === 'verbatim');
      assert.ok(best !== undefined && best.score > 0.9);
      assert.equal(response.slice(best.start, best.end), SECRET.replace(/[.]$/, ''));
    }
  });

  it('contamination_check has offsets within the response, whatever the text', async () => {
    const pipeline = guard();
    const part = fc.constantFrom(
      SECRET,
      quote,
      OTHER,
      '\u200b',
      '🏴',
      'é',
      ' ',
      '\ud800',
      'aGVsbG8gd29ybGQgaGVsbG8=',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, fc.string()), { maxLength: 12 }), async (parts) => {
        const response = parts.join('');
        for (const { start, end } of (await pipeline.scan({ response })).findings) {
          assert.ok(start >= 0 && start < end && end <= response.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('contamination_check has no score where it is off, and 0 without protected texts', async () => {
    const off = await createPipeline({ stages: [] }).scan({ response: SECRET });
    assert.equal(off.scores.contamination, null);
    assert.equal((await scan(SECRET, { protected: [] })).score, 0);
  });
});
