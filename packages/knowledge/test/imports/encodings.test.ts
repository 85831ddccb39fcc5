import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../src/imports/text.ts';

const TEXT = 'claim;source_url\nKöln lies on the Rhine 😀;https://example.org/\n';
const MARK = '\ufeff';

const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => little(text).swap16();

async function* inChunks(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk;
}

async function read(...chunks: readonly Uint8Array[]): Promise<string> {
  let text = '';
  for await (const piece of textOf(inChunks(...chunks))) text += piece;
  return text;
}

const encodings: ReadonlyArray<readonly [title: string, bytes: Uint8Array]> = [
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(MARK + TEXT)],
  ['UTF-16LE with a byte order mark', little(MARK + TEXT)],
  ['UTF-16LE without one', little(TEXT)],
  ['UTF-16BE with a byte order mark', big(MARK + TEXT)],
  ['UTF-16BE without one', big(TEXT)],
];

for (const [title, bytes] of encodings) {
  test(`a knowledge file in ${title} is read, whole or byte by byte`, async () => {
    assert.equal(await read(bytes), TEXT);
    assert.equal(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), TEXT);
  });
}

test('a knowledge file in Latin-1 is refused with the way to save it', async () => {
  await assert.rejects(read(Buffer.from('claim\nKöln\n', 'latin1')), {
    message:
      'The body is not valid UTF-8. Save the file as UTF-8, in a spreadsheet as "CSV UTF-8".',
  });
});
