import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Metrics } from '@probity/core';
import { createLogger, silentMetrics } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { createPipeline } from '@probity/pipeline';
import { createApi } from '../api.ts';
import { BENIGN, CARD, createWorld } from '../world.ts';

/** A scanner whose first stage times out after half a microsecond; the second works. */
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

test('an unfinished stage flags the scan and is named in the answer', async (t) => {
  const { postScan } = await createApi(t, { pipeline: hurried() });
  const { status, body } = await postScan({ response: `${BENIGN} `.repeat(500) });
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
});

test('an unfinished stage blocks by its findings so far, and the answer lists the stages', async (t) => {
  const { postScan } = await createApi(t, { pipeline: interrupted() });
  const { status, body } = await postScan({ response: `${CARD} and more` });
  assert.deepEqual([status, body.error.code], [403, 'PII_DETECTED']);
  assert.deepEqual(body.governance.stages, [
    { name: 'pii_scanner', status: 'timeout', durationMs: 101 },
  ]);
});

test('an unfinished stage is logged without any text, and every stage is counted', async (t) => {
  const lines: string[] = [];
  const counted: object[] = [];
  const count: Metrics['count'] = ({ name }, labels) => counted.push({ name, ...labels });
  const { scans, context } = await createWorld(t, {
    pipeline: hurried(),
    logger: createLogger({ write: (line) => lines.push(line) }),
    metrics: { ...silentMetrics, count },
  });
  const { scan, stages } = await scans.scan(context, { response: `${BENIGN} ${CARD}` });
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0] ?? '');
  assert.deepEqual(
    [line.level, line.scanId, line.stage, line.status],
    ['warn', scan.id, 'pii_scanner', 'timeout'],
  );
  assert.equal(lines[0]?.includes('France'), false);
  const name = 'probity_scan_stages_total';
  assert.deepEqual(
    counted,
    stages.map(({ name: stage, status }) => ({ name, stage, status })),
  );
});
