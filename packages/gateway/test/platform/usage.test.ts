import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '@probity/core';
import { createTestClock, temporaryFolder } from '@probity/test-support';
import { openUsageJournal } from '../../src/platform/usage-journal.ts';
import { PII_TEXTS } from '../texts.ts';
import { startGateway } from '../world.ts';
import type { PlatformCall } from './platform.ts';
import { startPlatform } from './platform.ts';

const KEY = 'pbk_of_the_platform';

async function startLinked(t: Parameters<typeof startPlatform>[0]) {
  const platform = await startPlatform(t);
  const clock = createTestClock();
  const env = { PROBITY_PLATFORM_URL: platform.url, PROBITY_PLATFORM_KEY: KEY };
  const gateway = await startGateway(t, '', { clock, env });
  const round = async () => {
    await clock.advance(66_000);
    await gateway.gateway.link?.runOnce();
  };
  return { platform, clock, gateway, round };
}

test('a heartbeat names the gateway by an id that stays, with the key of the platform', async (t) => {
  const { platform, gateway, round } = await startLinked(t);
  await round();
  const beats = platform.calls.filter(({ path }) => path === '/api/v1/instances/heartbeat');
  const ids = beats.map(({ body }) => (body as { instance_id: string }).instance_id);
  assert.ok(ids.length >= 2);
  assert.equal(new Set(ids).size, 1);
  assert.match(ids[0] as string, /^gw_[0-9a-f-]{36}$/);
  const { kind, version } = (beats[0] as PlatformCall).body as { kind: string; version: string };
  assert.equal(kind, 'gateway');
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.equal(beats[0]?.authorization, `Bearer ${KEY}`);
  assert.ok(!gateway.lines.join('\n').includes(KEY));
});

test('scans are reported by minute, blocked ones too, and what was not scanned is not', async (t) => {
  const { platform, gateway, clock, round } = await startLinked(t);
  await gateway.scan({ response: 'Good morning.' });
  await gateway.scan({ response: PII_TEXTS.ssn });
  await gateway.scan({ response: '' });
  await clock.advance(60_000);
  await gateway.scan({ response: 'Good evening.' });
  await round();
  const counted = [...platform.scans].sort();
  assert.deepEqual(counted, [
    ['2026-01-01T00:00:00.000Z', 2],
    ['2026-01-01T00:01:00.000Z', 1],
  ]);
  const before = platform.reports().length;
  await round();
  assert.equal(platform.reports().length, before);
});

test('a platform that is down loses nothing, and an answer that is lost doubles nothing', async (t) => {
  const { platform, gateway, round } = await startLinked(t);
  platform.status = 503;
  await gateway.scan({ response: 'One.' });
  await round();
  await gateway.scan({ response: 'Two.' });
  await round();
  assert.equal(platform.scans.size, 0);
  platform.status = 200;
  platform.loseAnswers = true;
  await round();
  platform.loseAnswers = false;
  await round();
  assert.deepEqual([...platform.scans.values()], [1, 1]);
  assert.ok(platform.reports().length >= 4);
  const before = platform.reports().length;
  await round();
  assert.equal(platform.reports().length, before);
});

test('what a process that was killed has counted is reported by the next one', async (t) => {
  const folder = temporaryFolder(t).path;
  const clock = createTestClock();
  const parts = { clock, logger: silentLogger };
  const killed = openUsageJournal(folder, parts);
  for (let scan = 0; scan < 3; scan += 1) killed.count();
  const next = openUsageJournal(folder, parts);
  next.count();
  assert.deepEqual(next.closed(), []);
  await clock.advance(60_000);
  assert.deepEqual(next.closed(), []);
  await clock.advance(5_000);
  const [minute, ...others] = next.closed();
  assert.equal(minute?.scans, 4);
  assert.deepEqual(others, []);
  if (minute) next.settle(minute);
  assert.deepEqual(next.closed(), []);
  next.close();
  killed.close();
});

test('a scan is not refused where it cannot be counted, and is counted with the next one', async (t) => {
  const folder = temporaryFolder(t).path;
  const clock = createTestClock();
  const journal = openUsageJournal(folder, { clock, logger: silentLogger });
  journal.count();
  // The next minute's file cannot be made while the folder is away.
  renameSync(folder, `${folder}-away`);
  await clock.advance(60_000);
  journal.count();
  mkdirSync(folder);
  journal.count();
  await clock.advance(65_000);
  assert.deepEqual(
    journal.closed().map(({ scans }) => scans),
    [2],
  );
  writeFileSync(join(folder, 'other'), '');
  renameSync(`${folder}-away`, join(folder, 'away'));
  journal.close();
});

test('a platform whose key or address is missing is refused at the start, and nothing goes on', async (t) => {
  const clock = createTestClock();
  const missingKey = { PROBITY_PLATFORM_URL: 'https://probity.example.com' };
  await assert.rejects(
    startGateway(t, '', { env: missingKey, clock }),
    /PROBITY_PLATFORM_KEY is not/,
  );
  const missingUrl = { PROBITY_PLATFORM_KEY: KEY };
  await assert.rejects(
    startGateway(t, '', { env: missingUrl, clock }),
    /PROBITY_PLATFORM_URL is not/,
  );
  // Lines of the log are written a moment later.
  await clock.advance(5_000);
  assert.equal(clock.pendingTimers, 0);
});
