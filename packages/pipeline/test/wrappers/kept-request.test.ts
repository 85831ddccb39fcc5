import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '@probity/test-support/random';
import type { Pipeline } from '../../src/index.ts';
import { createGuard, createPipeline } from '../../src/index.ts';
import { guardMiddleware } from '../../src/wrappers/ai-sdk.ts';
import { guardChatModel } from '../../src/wrappers/langchain.ts';
import { createGuardedFetch } from '../../src/wrappers/openai.ts';
import { makeGuards } from './compared-guards.ts';
import type { Conversation } from './random-conversations.ts';
import { randomConversation } from './random-conversations.ts';
import { createTracer } from './trace.ts';
import { WRAPPED_CALLS } from './wrapped-calls.ts';

const wrappers = { createGuardedFetch, guardMiddleware, guardChatModel };
const SEED = 20_261_128;
const CALLS = 18;

const PLAIN: Conversation = {
  asked: [
    { role: 'system', parts: ['Be brief.'] },
    { role: 'user', parts: ['Where is my parcel?'] },
  ],
  answer: { texts: ['It left the warehouse this morning.'] },
  isStreamed: false,
  part: 4,
};

/** A guard of one stage, and the texts that it has read. */
function countingGuard() {
  const read: string[] = [];
  const pipeline = createPipeline(
    { stages: [{ name: 'pii_scanner' }] },
    {
      stages: {
        pii_scanner: () => ({
          name: 'pii_scanner',
          targets: ['prompt', 'response', 'context', 'system'],
          readsFieldsApart: true,
          run({ fields, setScore }) {
            for (const { text } of fields) read.push(text);
            setScore(0);
          },
        }),
      },
    },
  );
  return { guard: createGuard({ pipeline }), read };
}

/** Reads every text each time. */
function forgetting(pipeline: Pipeline): Pipeline {
  const scan: Pipeline['scan'] = (input, { scanned: _, ...options } = {}) =>
    pipeline.scan(input, options);
  return { ...pipeline, scan };
}

describe('a request that is scanned before it is sent, and beside its answer', () => {
  for (const [name, call] of Object.entries(WRAPPED_CALLS)) {
    it(`is read once for ${name}, and by each call`, async () => {
      for (const isStreamed of [false, true]) {
        const { guard, read } = countingGuard();
        await call(wrappers, { guard }, { ...PLAIN, isStreamed }, []);
        for (const text of ['Be brief.', 'Where is my parcel?']) {
          assert.equal(read.filter((each) => each === text).length, 1, `${text} ${isStreamed}`);
        }
        await call(wrappers, { guard }, { ...PLAIN, answer: { texts: ['No.'] } }, []);
        assert.equal(read.filter((text) => text === 'Where is my parcel?').length, 2);
      }
    });
  }

  it('has in every wrapper what it has where nothing is kept', async () => {
    const makers = { createGuard, createPipeline };
    const keeping = createTracer(wrappers, (note) => makeGuards(makers, note));
    const reading = createTracer(wrappers, (note) => makeGuards(makers, note, forgetting));
    const random = createRandom(SEED);
    const ended = new Set<string>();
    for (let turn = 0; turn < CALLS; turn += 1) {
      const conversation = randomConversation(random);
      for (const name of Object.keys(WRAPPED_CALLS)) {
        const kept = await keeping.trace(name, conversation, turn);
        assert.deepEqual(kept, await reading.trace(name, conversation, turn), `${name}, ${turn}`);
        for (const [kind] of kept as [string][]) ended.add(kind);
      }
    }
    assert.deepEqual(
      [...ended].sort(),
      ['classified', 'error', 'failed', 'judged', 'passed', 'sent', 'status', 'token'].sort(),
    );
  });
});
