import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { InputLine } from '../../src/cli/lines.ts';
import { readLines } from '../../src/cli/lines.ts';
import { parseScanRow } from '../../src/cli/scan-row.ts';

describe('lines of input', () => {
  it('lines of input are the same wherever the stream is cut', async () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\n', '\r\n')));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(200)), async (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''));
        const expected = bytes
          .toString('utf8')
          .replace(/^\ufeff/, '')
          .split('\n')
          .map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }))
          .filter((line) => line.text.trim() !== '');
        assert.deepEqual(await collect(cut(bytes, cuts)), expected);
      }),
    );
  });

  it('lines of input are passed on as soon as they are complete', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* chunks() {
      yield 'first\nsec';
      await gate;
      yield 'ond\n';
    }
    const lines = readLines(chunks());
    const { value } = await lines.next();
    assert.deepEqual(value, [{ number: 1, text: 'first' }]);
    release();
    assert.deepEqual((await lines.next()).value, [{ number: 2, text: 'second' }]);
  });

  it('lines of input beyond the length limit are passed on without their text', async () => {
    const lines = await collect(chunksOf(['12345', '678\nshort\n', 'x'.repeat(9)]), 7);
    assert.deepEqual(lines, [
      { number: 1, text: undefined },
      { number: 2, text: 'short' },
      { number: 3, text: undefined },
    ]);
  });
});

describe('a row', () => {
  it('a row has an id and a text, and keeps the optional fields that are given', () => {
    const line = '{"id":7,"text":"a","context":"b","prompt":null,"label":1}';
    assert.deepEqual(parseScanRow(line), { id: 7, text: 'a', context: 'b' });
  });

  const mistakes: readonly [string, string, string | number | undefined][] = [
    ['{"id":1', 'not valid JSON', undefined],
    ['[]', 'expected a JSON object', undefined],
    ['{"text":"a"}', 'id must be a string or a number', undefined],
    ['{"id":"x"}', 'text must be a string', 'x'],
    ['{"id":"x","text":"a","context":["b"]}', 'context must be a string', 'x'],
  ];
  for (const [line, message, id] of mistakes) {
    it(`an invalid row is refused with a message that does not quote it: ${line}`, () => {
      assert.throws(() => parseScanRow(line), { name: 'ScanRowError', message, id });
    });
  }
});

async function collect(chunks: AsyncIterable<Uint8Array | string>, maxLength?: number) {
  const lines: InputLine[] = [];
  for await (const some of readLines(chunks, maxLength)) lines.push(...some);
  return lines;
}

async function* chunksOf(parts: readonly string[]) {
  yield* parts;
}

async function* cut(bytes: Uint8Array, cuts: readonly number[]) {
  let start = 0;
  for (const size of cuts) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
  yield bytes.subarray(start);
}
