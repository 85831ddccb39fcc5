import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrometheus } from '../../src/program/prometheus.ts';
import { createNotes } from './world.ts';

test('metrics of an application include those of its queues', async (t) => {
  const prometheus = createPrometheus();
  const { metrics } = prometheus;
  for (const mount of ['/first', '/second']) {
    const probity = createNotes({ metrics, mount });
    t.after(() => probity.stop());
    await probity.ready();
  }
  const { body } = await prometheus.render();
  for (const name of ['pending', 'failed', 'oldest_age_seconds']) {
    assert.match(body, new RegExp(`^probity_jobs_${name}\\{queue="outbox"\\} 0$`, 'm'));
  }
});
