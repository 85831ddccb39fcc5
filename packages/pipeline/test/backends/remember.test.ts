import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rememberJudgments, rememberVectors } from '../../src/backends/remember.ts';
import type { Embedder, Judge } from '../../src/backends/types.ts';

const never = new AbortController().signal;

describe('what back ends answered', () => {
  it('the back-end cache keeps the most recently used judgments', async () => {
    const asked: string[] = [];
    const judge: Judge = {
      async judge({ claim }) {
        asked.push(claim);
        return { verdict: 'unknown', score: 0 };
      },
    };
    const remembering = rememberJudgments(judge, 2);
    for (const claim of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await remembering.judge({ claim, source: '' }, never);
    }
    assert.deepEqual(asked, ['a', 'b', 'c', 'b']);
  });

  it('the back-end cache stores no failures and separates similar questions', async () => {
    let calls = 0;
    const judge: Judge = {
      async judge() {
        if (++calls === 1) throw new Error('no');
        return { verdict: 'unknown', score: 0 };
      },
    };
    const remembering = rememberJudgments(judge);
    const ask = (claim: string, source: string, question?: string) =>
      remembering.judge({ claim, source, ...(question === undefined ? {} : { question }) }, never);
    await assert.rejects(ask('a', 'b'));
    await ask('a', 'b');
    await ask('a', 'b');
    await ask('ab', '');
    await ask('a', '', 'b');
    await ask('a', 'b', 'c');
    assert.equal(calls, 5);
  });

  it('the back-end cache limits vectors by their size in bytes', async () => {
    const embedded: string[] = [];
    const embedder: Embedder = {
      async embed(texts) {
        embedded.push(...texts);
        return texts.map((text) => Float32Array.of(text.length, 1));
      },
    };
    const remembering = rememberVectors(embedder, 2 * 8);
    const vectors = await remembering.embed(['a', 'bb', 'a'], never);
    assert.deepEqual(
      vectors.map(([length]) => length),
      [1, 2, 1],
    );
    await remembering.embed(['a'], never);
    await remembering.embed(['ccc'], never);
    await remembering.embed(['a', 'bb'], never);
    assert.deepEqual(embedded, ['a', 'bb', 'ccc', 'bb']);
  });

  it('the back-end cache returns more vectors in one call than it can store', async () => {
    const embedder: Embedder = {
      embed: async (texts) => texts.map((text) => Float32Array.of(Number(text))),
    };
    const texts = Array.from({ length: 100 }, (_, at) => String(at));
    const vectors = await rememberVectors(embedder, 40).embed(texts, never);
    assert.deepEqual(
      vectors.map(([value]) => String(value)),
      texts,
    );
  });
});
