import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { createPipeline } from '@probity/pipeline';
import type { ScanStage } from '../src/index.ts';
import { withApi } from './http-world.ts';
import { BENIGN, CARD, inWorld, sqlite } from './world.ts';

/** A scanner whose first stage gets half a microsecond, and whose second is sound. */
const hurried = (): Pipeline =>
  createPipeline({
    stages: [{ name: 'pii_scanner', timeoutMs: 0.000_5 }, { name: 'injection_scanner' }],
  });

/** A scanner that reports a card number and then runs out of time. */
const interrupted = (): Pipeline => {
  const clock = { ms: 0 };
  return createPipeline(
    { stages: [{ name: 'pii_scanner', timeoutMs: 100 }] },
    {
      now: () => clock.ms,
      stages: {
        pii_scanner: () => ({
          name: 'pii_scanner',
          targets: ['response'],
          run(context) {
            const place = { field: 'response', start: 0, end: 19 } as const;
            context.report({ type: 'credit_card', score: 0.99, reason: 'seen', ...place });
            context.setScore(0.94);
            clock.ms += 101;
            void context.checkpoint();
          },
        }),
      },
    },
  );
};

describe('a stage that does not finish', () => {
  it(
    'flags the scan and is named in the answer',
    withApi(
      async ({ scan }) => {
        const { status, body } = await scan({ response: `${BENIGN} `.repeat(500) });
        assert.equal(status, 200);
        assert.deepEqual([body.data.verdict, body.data.scores.pii], ['flagged', null]);
        const ended = body.data.stages.map(({ name, status: how }: Record<string, string>) => [
          name,
          how,
        ]);
        assert.deepEqual(ended, [
          ['pii_scanner', 'timeout'],
          ['injection_scanner', 'ok'],
        ]);
      },
      {},
      { pipeline: hurried() },
    ),
  );

  it(
    'blocks by what it found until then, with the stages in the answer',
    withApi(
      async ({ scan }) => {
        const { status, body } = await scan({ response: `${CARD} and more` });
        assert.deepEqual([status, body.error.code], [403, 'PII_DETECTED']);
        assert.deepEqual(body.governance.stages, [
          { name: 'pii_scanner', status: 'timeout', durationMs: 101 },
        ]);
      },
      {},
      { pipeline: interrupted() },
    ),
  );

  const lines: string[] = [];
  const seen: ScanStage[] = [];
  it(
    'is logged as a warning without any text, and every stage is told to the observer',
    inWorld(
      sqlite,
      async ({ governance, context }) => {
        const { scan, stages } = await governance.scan(context, { response: `${BENIGN} ${CARD}` });
        assert.equal(lines.length, 1);
        const line = JSON.parse(lines[0] ?? '');
        assert.deepEqual(
          [line.level, line.scanId, line.stage, line.status],
          ['warn', scan.id, 'pii_scanner', 'timeout'],
        );
        assert.equal(lines[0]?.includes('France'), false);
        assert.deepEqual(seen, stages);
      },
      {
        pipeline: hurried(),
        logger: createLogger({ write: (line) => lines.push(line) }),
        observeStage: (stage) => seen.push(stage),
      },
    ),
  );
});
