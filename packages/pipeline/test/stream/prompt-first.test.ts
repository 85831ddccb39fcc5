import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pipeline } from '../../src/index.ts';
import {
  BlockedError,
  createGuard,
  createGuardTransform,
  createPipeline,
  guardStream,
} from '../../src/index.ts';

const SSN = '536-22-8726';
const FILLER = 'The parcel left the warehouse this morning and will arrive in two or three days. ';
const PII = createPipeline({ stages: [{ name: 'pii_scanner' }] });
const guardWith = (pipeline: Pipeline) => {
  const policy = {
    id: 'p',
    name: 'p',
    rules: [{ stage: 'pii_scanner', action: 'block' } as const],
  };
  return createGuard({ pipeline, policies: [policy] });
};
const BLOCK = guardWith(PII);

async function readAll(texts: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const text of texts) read.push(text);
  return read;
}

describe('the prompt of a stream', () => {
  it('guardStream does not read its source when the prompt is blocked', async () => {
    let pulled = 0;
    async function* model() {
      pulled += 1;
      yield FILLER;
    }
    const lazy = { [Symbol.asyncIterator]: () => model() };
    const pull = () => {
      pulled += 1;
    };
    const untouched = new ReadableStream<string>({ pull }, { highWaterMark: 0 });
    const prompt = `Her SSN is ${SSN}.`;
    for (const source of [model(), lazy, untouched]) {
      const guarded = guardStream(source, { guard: BLOCK, prompt });
      await assert.rejects(readAll(guarded), BlockedError);
      const { verdict, reason } = await guarded.result;
      assert.deepEqual([verdict, reason], ['blocked', 'pii_scanner found ssn']);
    }
    const context = [prompt];
    const replaced = guardStream(model(), { guard: BLOCK, context, replacement: 'Sorry.' });
    assert.deepEqual(await readAll(replaced), ['Sorry.']);
    assert.equal(pulled, 0);
  });

  it('guardStream cancels a stream that has begun when the prompt is blocked', async () => {
    let isCancelled = false;
    const cancel = () => {
      isCancelled = true;
    };
    const source = new ReadableStream<string>({ cancel });
    const guarded = guardStream(source, { guard: BLOCK, system: `SSN ${SSN}` });
    await assert.rejects(readAll(guarded), BlockedError);
    assert.ok(isCancelled);
  });

  it('createGuardTransform takes no text when the prompt is blocked', async () => {
    const { readable, writable, result } = createGuardTransform({
      guard: BLOCK,
      prompt: `Her SSN is ${SSN}.`,
      replacement: 'Sorry.',
    });
    assert.deepEqual(await readAll(readable), ['Sorry.']);
    await assert.rejects(writable.getWriter().write(FILLER));
    assert.equal((await result).verdict, 'blocked');
  });

  it('guardStream decides on the prompt before the first text and with the last', async () => {
    const prompts: (string | undefined)[] = [];
    const pipeline: Pipeline = {
      ...PII,
      scan(input, options) {
        prompts.push(input.prompt);
        return PII.scan(input, options);
      },
    };
    const guard = guardWith(pipeline);
    const texts = await readAll(
      guardStream(ReadableStream.from([FILLER]), { guard, prompt: 'Where is it?' }),
    );
    assert.equal(texts.join(''), FILLER);
    assert.deepEqual(prompts, ['Where is it?', 'Where is it?']);
  });
});
