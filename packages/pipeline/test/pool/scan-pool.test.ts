import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PATIENCE_MS, until } from '@probity/test-support';
import type { ScanPoolOptions, ScanResult } from '../../src/index.ts';
import { createGuard, createPipeline, createScanPool, ScanPoolError } from '../../src/index.ts';
import { pipeline } from './own-pipeline.ts';

const FILLER = 'The parcel left the warehouse this morning and will arrive in two or three days. ';
const LONG = `${FILLER.repeat(220)}My SSN is 536-22-8145. ${FILLER.repeat(220)}`;
const PII = { stages: [{ name: 'pii_scanner' as const }] };
const MODULE = new URL('./own-pipeline.js', import.meta.url);
const OWN = { module: MODULE, pipeline, threads: 1, from: 5 };
const INDEX = new URL('../../src/index.js', import.meta.url);

describe('a scan pool', () => {
  it('a scan pool gives the results of a pipeline, for short and for long texts', async () => {
    await using pool = createScanPool({ threads: 2 });
    const own = createPipeline();
    const inputs = [
      { response: 'My SSN is 536-22-8145.' },
      { response: LONG },
      { response: 'fine', prompt: LONG, context: [LONG.slice(0, 20_000)], system: 'Be brief.' },
    ];
    const results = await Promise.all(inputs.map((input) => pool.scan(input)));
    for (const [index, input] of inputs.entries()) {
      assert.deepEqual(withoutTimes(results[index]), withoutTimes(await own.scan(input)));
    }
    assert.deepEqual(pool.stages, own.stages);
    assert.deepEqual(pool.definitions, own.definitions);
    await assert.rejects(pool.scan({ response: LONG }, { signal: 7 as never }), /signal/);
    const guard = createGuard({ pool });
    assert.equal((await guard.check({ response: LONG })).reason, 'pii_scanner found ssn');
    assert.throws(() => createGuard({ pool, pipeline: own }), /a pipeline or a pool, not both/);
  });

  it('a scan pool stops a scan whose signal aborts, and goes on', async () => {
    await using pool = createScanPool({ config: PII, threads: 1, from: 0 });
    const stop = new AbortController();
    const scan = pool.scan({ response: LONG.repeat(20) }, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(scan, (error: Error) => {
      assert.equal(error.name, 'ScanCanceledError');
      assert.equal((error.cause as Error).message, 'enough');
      return true;
    });
    const signal = AbortSignal.abort();
    await assert.rejects(pool.scan({ response: 'a' }, { signal }), { code: 'SCAN_CANCELLED' });
    assert.equal((await pool.scan({ response: 'a@example.org' })).findings.length, 1);
  });

  it('a scan that never comes back is given up, and its thread is replaced', async () => {
    await using pool = createScanPool({ ...OWN, stuckMs: 2_000 });
    await assert.rejects(pool.scan({ response: 'forever' }), {
      name: 'ScanPoolError',
      message: 'a scanning thread was stuck, and has been stopped',
    });
    assert.equal((await pool.scan({ response: 'short' })).scores.truth, 0.25);
  });

  it('a caller whose signal aborts does not wait for a scan that never comes back', async () => {
    await using pool = createScanPool({ ...OWN, stuckMs: 2_000 });
    const stop = new AbortController();
    const scan = pool.scan({ response: 'forever' }, { signal: stop.signal });
    stop.abort();
    await assert.rejects(scan, { code: 'SCAN_CANCELLED' });
  });

  it('a thread ends when it has had no work for idleMs', async () => {
    await using pool = createScanPool({ ...OWN, idleMs: 1 });
    const thread = async () => (await pool.scan({ response: 'thread' })).scores.truth;
    const first = await thread();
    await until(async () => (await thread()) !== first, 'another thread scans');
  });

  it('a scan pool tries a scan whose thread dies again once, with stages of a module', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'probity-pool-'));
    try {
      await using pool = createScanPool({ module: MODULE, pipeline, threads: 1, from: 5 });
      const { scores } = await pool.scan({ response: `once ${join(folder, 'mark')}` });
      assert.equal(scores.truth, 0.25);
      await assert.rejects(pool.scan({ response: 'crash' }), {
        name: 'ScanPoolError',
        message: 'a scanning thread ended',
      });
      assert.equal((await pool.scan({ response: 'good again' })).scores.truth, 0.25);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a closed scan pool rejects what it has and what comes', async () => {
    const pool = createScanPool({ config: PII, threads: 1, from: 10 });
    const pending = pool.scan({ response: LONG.repeat(5) });
    await Promise.all([pool.close(), assert.rejects(pending, ScanPoolError)]);
    await assert.rejects(pool.scan({ response: LONG }), /the scan pool is closed/);
    assert.equal((await pool.scan({ response: 'short' })).findings.length, 0);
    await pool.close();
  });

  it('a scan pool refuses wrong options and inputs by name', async () => {
    const module = new URL('file:///nowhere.js');
    for (const [options, message] of [
      [{ thread: 2 }, /createScanPool: thread is not an option/],
      [{ threads: 0 }, /threads: expected a whole number from 1 to 64/],
      [{ from: -1 }, /from: expected a whole number/],
      [{ config: { stages: [{ name: 'pii' }] } }, /stages\[0\]\.name: expected one of/],
      [{ module }, /module and pipeline belong together/],
      [{ module, pipeline, config: PII }, /a config or a module, not both/],
    ] as const) {
      assert.throws(() => createScanPool(options as ScanPoolOptions), message);
    }
    await using pool = createScanPool({ config: PII, threads: 1, from: 0 });
    await assert.rejects(pool.scan({ response: 7 } as never), /input\.response must be a string/);
    const mistyped = { response: 'a', contxt: [] } as never;
    await assert.rejects(pool.scan(mistyped), /contxt is not an option/);
    await assert.rejects(pool.scan(null as never), TypeError);
  });

  it('a scan pool keeps no process alive, and answers before it ends', () => {
    const code = `
      import { createScanPool } from ${JSON.stringify(INDEX.href)};
      const pool = createScanPool({ config: { stages: [{ name: 'pii_scanner' }] }, from: 0, threads: 1 });
      const { findings } = await pool.scan({ response: 'jane@example.org' });
      console.log(findings.length);`;
    const args = ['--input-type=module', '-e', code];
    const { status, stdout } = spawnSync(process.execPath, args, { timeout: PATIENCE_MS });
    assert.deepEqual([status, String(stdout)], [0, '1\n']);
  });
});

function withoutTimes(result: ScanResult | undefined) {
  assert.ok(result);
  const stages = result.stages.map(({ stage, status }) => ({ stage, status }));
  return { ...result, stages, durationMs: 0 };
}
