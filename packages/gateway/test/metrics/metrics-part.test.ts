import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrometheus } from '@probity/core/prometheus';
import { createMetricsPart } from '../../src/metrics/metrics-part.ts';

test('readers of the metrics that come while a worker is asked share the next answer', async () => {
  const answers: (() => void)[] = [];
  const part = createMetricsPart(
    {
      ask<Answer>() {
        const answer = new Promise<Answer>((resolve) => {
          answers.push(() => resolve([] as Answer));
        });
        return new Map([[1, answer]]);
      },
      tell: () => undefined,
    },
    createPrometheus(),
  );
  const first = part.render();
  await new Promise(setImmediate);
  const others = Array.from({ length: 50 }, () => part.render());
  answers[0]?.();
  await first;
  await new Promise(setImmediate);
  answers[1]?.();
  await Promise.all(others);
  assert.equal(answers.length, 2);
  const last = part.render();
  await new Promise(setImmediate);
  answers[2]?.();
  await last;
});
