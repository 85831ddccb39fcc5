import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ScanCanceledError } from '../../src/index.ts';
import { openSource } from '../../src/stream/source.ts';

const END = { done: true, value: undefined } as const;

describe('the source of a stream', () => {
  it('the source of a stream is asked for a text once the one before is taken', async () => {
    const { iterator, calls, give } = manual();
    const taken: string[] = [];
    const reading = openSource(iterator, undefined).readUntil((text) => {
      taken.push(text);
      return text === 'c' ? 'enough' : undefined;
    });
    for (const text of ['a', 'b', 'c']) {
      assert.equal(calls.length, taken.length + 1);
      await give({ done: false, value: text });
    }
    assert.equal(await reading, 'enough');
    assert.deepEqual(
      [taken, calls],
      [
        ['a', 'b', 'c'],
        ['next', 'next', 'next'],
      ],
    );
  });

  it('the source of a stream may answer without promises, or with those of others', async () => {
    let count = 0;
    const next = (): unknown => {
      count++;
      const result = count > 3 ? END : { done: false, value: String(count) };
      if (count !== 2) return result;
      // biome-ignore lint/suspicious/noThenProperty: what is tested
      return { then: (resolve: (given: unknown) => void) => resolve(result) };
    };
    const taken: string[] = [];
    const source = openSource({ next } as never, undefined);
    assert.equal(await source.readUntil((text) => void taken.push(text)), undefined);
    assert.deepEqual(taken, ['1', '2', '3']);
  });

  it('the source of a stream that throws, fails or gives no result is not closed, and its error is passed on', async () => {
    const broken = new Error('connection lost');
    for (const [next, expected] of [
      [() => assert.fail(broken), broken],
      [() => Promise.reject(broken), broken],
      [() => Promise.resolve(undefined), TypeError],
    ] as const) {
      const { iterator, calls } = manual();
      const source = openSource({ ...iterator, next: next as never }, undefined);
      await assert.rejects(
        source.readUntil(() => undefined),
        expected,
      );
      await source.close();
      assert.deepEqual(calls, []);
    }
  });

  it('the source of a stream is closed once where taking a text fails', async () => {
    const { iterator, calls, give } = manual();
    const source = openSource(iterator, undefined);
    const reading = source.readUntil(() => assert.fail('no text'));
    await Promise.all([assert.rejects(reading, /no text/), give({ done: false, value: 'a' })]);
    await source.close();
    assert.deepEqual(calls, ['next', 'return']);
  });

  it('the source of a stream that is aborted is closed at once, and what it gives later is not taken', async () => {
    const stop = new AbortController();
    const { iterator, calls, give } = manual();
    const source = openSource(iterator, stop.signal);
    const taken: string[] = [];
    const reading = source.readUntil((text) => void taken.push(text));
    await give({ done: false, value: 'a' });
    stop.abort('enough');
    assert.deepEqual(calls, ['next', 'next', 'return']);
    await assert.rejects(reading, ScanCanceledError);
    await give({ done: false, value: 'b' });
    await source.close();
    assert.deepEqual([taken, calls], [['a'], ['next', 'next', 'return']]);
  });

  it('the source of a stream that is stopped is closed once, and asked for nothing more', async () => {
    const waiting = manual();
    const source = openSource(waiting.iterator, undefined);
    const reading = source.readUntil(() => undefined);
    source.stop();
    await assert.rejects(reading, ScanCanceledError);
    await source.close();
    assert.deepEqual(waiting.calls, ['next', 'return']);
    const taking = manual();
    const other = openSource(taking.iterator, undefined);
    const taken = other.readUntil((text) => text);
    await taking.give({ done: false, value: 'a' });
    assert.equal(await taken, 'a');
    other.stop();
    await assert.rejects(
      other.readUntil(() => undefined),
      ScanCanceledError,
    );
    await other.close();
    assert.deepEqual(taking.calls, ['next', 'return']);
    const ended = manual();
    const over = openSource(ended.iterator, undefined);
    const rest = over.readUntil(() => undefined);
    await ended.give(END);
    assert.equal(await rest, undefined);
    over.stop();
    await over.close();
    assert.deepEqual(ended.calls, ['next']);
  });

  it('the source of a stream that is aborted while a text is taken is asked for nothing more', async () => {
    const stop = new AbortController();
    const { iterator, calls, give } = manual();
    const source = openSource(iterator, stop.signal);
    const reading = source.readUntil(() => stop.abort('enough'));
    await Promise.all([
      assert.rejects(reading, ScanCanceledError),
      give({ done: false, value: 'a' }),
    ]);
    await source.close();
    assert.deepEqual(calls, ['next', 'return']);
  });

  it('the source of a stream that is aborted between two readings is asked for nothing more', async () => {
    const stop = new AbortController();
    const { iterator, calls, give } = manual();
    const source = openSource(iterator, stop.signal);
    const reading = source.readUntil((text) => text);
    await give({ done: false, value: 'a' });
    assert.equal(await reading, 'a');
    stop.abort('enough');
    await assert.rejects(
      source.readUntil(() => undefined),
      ScanCanceledError,
    );
    assert.deepEqual(calls, ['next', 'return']);
  });
});

/** An iterator whose answers the test gives, one for each call of `next`, and the calls that it got. */
function manual() {
  const calls: string[] = [];
  let answer: (result: IteratorResult<string>) => void = () => {};
  const iterator: AsyncIterator<string> = {
    next() {
      calls.push('next');
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    async return() {
      calls.push('return');
      return END;
    },
  };
  const give = async (result: IteratorResult<string>): Promise<void> => {
    answer(result);
    await new Promise(setImmediate);
  };
  return { iterator, calls, give };
}
