import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCluster } from '../cluster/cluster-world.ts';

const CONFIG = 'rate_limiting: {enabled: false}\nscanning: {stages: [{name: pii_scanner}]}\n';

test('an Idempotency-Key has one answer in all processes', async (t) => {
  const cluster = await startCluster(t, CONFIG);
  const headers = { Authorization: `Bearer ${cluster.token}`, 'Idempotency-Key': 'order-1' };
  const send = (response: string) => cluster.scan({ response }, headers);
  assert.equal((await send('Hello.')).status, 200);
  const answers = await Promise.all(Array.from({ length: 12 }, () => send('Hello.')));
  for (const { status, headers } of answers) {
    assert.deepEqual([status, headers.get('idempotent-replayed')], [200, 'true']);
  }
  const ids = await Promise.all(answers.map(async (answer) => JSON.stringify(await answer.json())));
  assert.equal(new Set(ids).size, 1);
});
