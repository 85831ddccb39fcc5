import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HALLUCINATION, PII_TEXTS } from '../texts.ts';
import type { GatewayWorld } from '../world.ts';
import { at, LOOPBACK, startGateway } from '../world.ts';

const STRICT = `${LOOPBACK}scanning: {thresholds: {pii_risk: 0.1}}\n`;
const LAX = `${LOOPBACK}scanning: {thresholds: {pii_risk: 1}}\n`;

function reload(gateway: GatewayWorld, key: string) {
  const headers = { Authorization: `Bearer ${key}` };
  return gateway.call('/reload-config', { method: 'POST', headers });
}

async function startWithAdmin(t: Parameters<typeof startGateway>[0], text: string) {
  const gateway = await startGateway(t, text, { enableReload: true });
  const admin = gateway.addKey({ role: 'admin', name: 'ops' });
  const deadline = Date.now() + 10_000;
  while ((await reload(gateway, admin)).status === 401 && Date.now() < deadline);
  return { gateway, admin };
}

test('a reload puts the new configuration in force and tells what has changed', async (t) => {
  const { gateway, admin } = await startWithAdmin(t, STRICT);
  const before = await gateway.scan({ response: PII_TEXTS.email });
  assert.equal(before.status, 403);
  gateway.write(LAX);
  const { status, body } = await reload(gateway, admin);
  assert.equal(status, 200);
  assert.equal(at(body, 'status'), 'reloaded');
  assert.deepEqual(at(body, 'changed'), ['scanning.thresholds.pii_risk']);
  assert.equal(at(body, 'previous_hash'), before.headers.get('x-probity-config-hash'));
  const after = await gateway.scan({ response: PII_TEXTS.email });
  assert.equal(after.status, 200);
  assert.equal(after.headers.get('x-probity-config-hash'), at(body, 'config_hash'));
});

test('a broken file leaves the configuration in force, and its errors are told with their lines', async (t) => {
  const { gateway, admin } = await startWithAdmin(t, STRICT);
  gateway.write(`${LOOPBACK}scanning:\n  thresholds: {pii_risk: 2}\nserver_: {}\n`);
  const { status, body } = await reload(gateway, admin);
  assert.equal(status, 422);
  const details = at(body, 'error.details') as { field: string; line: number }[];
  assert.deepEqual(
    details.map(({ field, line }) => [field, line]),
    [
      ['scanning.thresholds.pii_risk', 4],
      ['server_', 5],
    ],
  );
  assert.equal((await gateway.scan({ response: PII_TEXTS.email })).status, 403);
  assert.match(await gateway.metrics(), /gateway_config_reloads_total\{result="failed"\} 1/);
});

test('a reload reads files of terms again, and one that is missing leaves what is in force', async (t) => {
  const text =
    `${LOOPBACK}scanning: {stages: [{name: terms_scanner}]}\n` +
    'stage_config:\n  terms_scanner: {lists: [{terms: [stork], file: terms.txt}]}\n';
  const { gateway, admin } = await startWithAdmin(t, 'logging: {level: INFO}');
  const terms = join(gateway.folder, 'terms.txt');
  writeFileSync(terms, 'heron\n');
  gateway.write(text);
  assert.equal((await reload(gateway, admin)).status, 200);
  const statusOf = async (response: string) => (await gateway.scan({ response })).status;
  assert.deepEqual([await statusOf('a heron'), await statusOf('a plover')], [403, 200]);
  writeFileSync(terms, 'plover\n');
  assert.deepEqual(at((await reload(gateway, admin)).body, 'changed'), [
    'stage_config.terms_scanner.lists',
  ]);
  assert.deepEqual([await statusOf('a heron'), await statusOf('a plover')], [200, 403]);
  rmSync(terms);
  const { status, body } = await reload(gateway, admin);
  assert.equal(status, 422);
  const [fault] = at(body, 'error.details') as { field: string; line: number; message: string }[];
  assert.deepEqual([fault?.field, fault?.line], ['stage_config.terms_scanner.lists[0].file', 5]);
  assert.match(fault?.message ?? '', /terms\.txt cannot be read \(ENOENT\)/);
  assert.equal(await statusOf('a plover'), 403);
});

test('what cannot be built leaves the configuration in force', async (t) => {
  const { gateway, admin } = await startWithAdmin(t, STRICT);
  gateway.write(`${LAX}logging: {file: ${gateway.folder}/missing/gateway.log}\n`);
  const { status, body } = await reload(gateway, admin);
  assert.equal(status, 422);
  assert.match(String(at(body, 'error.message')), /ENOENT/);
  assert.equal((await gateway.scan({ response: PII_TEXTS.email })).status, 403);
});

test('keys that need a restart keep their values, and the rest is put in force', async (t) => {
  const { gateway, admin } = await startWithAdmin(t, STRICT);
  gateway.write(LAX.replace('prometheus: {port: 0}', 'prometheus: {port: 0, enabled: false}'));
  const { body } = await reload(gateway, admin);
  assert.deepEqual(at(body, 'restart_required'), ['monitoring.prometheus.enabled']);
  assert.deepEqual(at(body, 'changed'), ['scanning.thresholds.pii_risk']);
  assert.equal((await gateway.scan({ response: PII_TEXTS.email })).status, 200);
  assert.match(await gateway.metrics(), /gateway_config_info/);
});

test('a reload over HTTP needs a key with the role admin, and exists only where it is enabled', async (t) => {
  const gateway = await startGateway(t, '', { enableReload: true });
  const member = gateway.addKey({ name: 'member' });
  assert.equal((await gateway.call('/reload-config', { method: 'POST' })).status, 401);
  const deadline = Date.now() + 10_000;
  while ((await reload(gateway, member)).status === 401 && Date.now() < deadline);
  assert.equal((await reload(gateway, member)).status, 403);
  const without = await startGateway(t);
  assert.equal((await reload(without, member)).status, 404);
});

test('a second reload while one is in progress is refused', async (t) => {
  const gateway = await startGateway(t, STRICT);
  const first = gateway.gateway.reloader.reload();
  await assert.rejects(gateway.gateway.reloader.reload(), { kind: 'conflict' });
  await first;
});

test('every verdict fits the configuration whose hash it carries, during reloads of good and broken files', async (t) => {
  const gateway = await startGateway(t, `${STRICT}rate_limiting: {enabled: false}\n`);
  const texts = [
    [`${LAX}rate_limiting: {enabled: false}\n`, 200],
    [`${STRICT}rate_limiting: {enabled: false}\n`, 403],
  ] as const;
  const expected = new Map<string | null, number>();
  for (const [text, status] of [...texts, ...texts]) {
    gateway.write(text);
    const { hash } = await gateway.gateway.reloader.reload();
    expected.set(hash, status);
  }
  let isOver = false;
  const seen: [string | null, number][] = [];
  const load = async () => {
    while (!isOver) {
      const { headers, status } = await gateway.scan({ response: PII_TEXTS.email });
      seen.push([headers.get('x-probity-config-hash'), status]);
    }
  };
  const loads = [load(), load(), load(), load()];
  for (let round = 0; round < 12; round++) {
    if (round % 3 === 2) {
      writeFileSync(gateway.file, 'scanning: [broken');
      await assert.rejects(gateway.gateway.reloader.reload());
    } else {
      gateway.write((texts[round % 2] as (typeof texts)[0])[0]);
      await gateway.gateway.reloader.reload();
    }
  }
  isOver = true;
  await Promise.all(loads);
  assert.ok(seen.length > 0);
  assert.deepEqual(
    seen.filter(([hash, status]) => expected.get(hash) !== status),
    [],
  );
  assert.equal(new Set(seen.map(([hash]) => hash)).size, 2);
});

test('the context of a scan is judged under the snapshot with which it began', async (t) => {
  const gateway = await startGateway(
    t,
    `${LOOPBACK}stage_config: {hallucination_detector: {action: block, threshold: 0.5}}\n`,
  );
  assert.equal((await gateway.scan(HALLUCINATION)).status, 403);
});
