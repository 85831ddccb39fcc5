import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationError, readEvaluation, readImportBody, toUtf8 } from '../src/index.ts';
import { file, partsOf, result } from './fixtures.ts';

const TEXT = JSON.stringify(file([result({ provider: { id: 'Größe 😀' } })]));

/** The text in UTF-16 of an order of bytes. */
function utf16(text: string, order: 'le' | 'be', mark = '\ufeff'): Buffer {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

const forms: ReadonlyArray<readonly [string, Buffer]> = [
  ['UTF-16 with its mark, as PowerShell writes it', utf16(TEXT, 'le')],
  ['UTF-16 of the other order', utf16(TEXT, 'be')],
  ['UTF-16 without a mark', utf16(TEXT, 'le', '')],
  ['UTF-16 of the other order without a mark', utf16(TEXT, 'be', '')],
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
];

for (const [title, bytes] of forms) {
  test(`a file in ${title} is read in parts of any size`, async () => {
    for (const size of [1, 3, 1_000]) {
      const { results } = await readEvaluation(partsOf(bytes, size));
      assert.equal(results[0]?.provider.id, 'Größe 😀');
    }
  });
}

test('a file in UTF-16 with half a character is refused with the encoding', async () => {
  const bytes = utf16(TEXT, 'le');
  await assert.rejects(readEvaluation([bytes.subarray(0, -1)]), (error: unknown) => {
    assert.ok(error instanceof EvaluationError);
    assert.match(error.message, /not valid UTF-16/);
    return true;
  });
});

test('the body of an import is UTF-8 only', async () => {
  const body = utf16(`{"evaltoolOutput": ${TEXT}}`, 'le');
  await assert.rejects(readImportBody([body]), EvaluationError);
});

test('bytes in UTF-8 are handed on as they are, down to one byte', async () => {
  for (const text of ['', 'a', 'ab']) {
    const parts: Uint8Array[] = [];
    for await (const part of toUtf8(partsOf(text, 1))) parts.push(part);
    assert.equal(Buffer.concat(parts).toString(), text);
  }
});
