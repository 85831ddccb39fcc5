import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { succeed } from '../../scripts/support/package-tarballs.mjs';
import { folder, startHost } from './host-process.js';
import { SECRET, signedRequest } from './signed-request.js';
import { describeHost } from './suite.js';

const BUILD = '.next';
const next = join('node_modules', 'next', 'dist', 'bin', 'next');
/** Outside of the installation, so that a package that was not traced is missing. */
const standalone = mkdtempSync(join(tmpdir(), 'probity-standalone-'));
const traits = { set: 'next', passesOn: false, stopsItself: false, hasParser: false };

describe('Next.js', () => {
  before(async () => {
    const cwd = join(folder, 'next');
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    await succeed(process.execPath, [next, 'build'], { cwd, env });
    const built = join(cwd, BUILD, 'standalone');
    assert.ok(!existsSync(join(cwd, 'app.db')), 'the build has opened the database');
    cpSync(built, standalone, { recursive: true, verbatimSymlinks: true });
  });

  after(() => rmSync(standalone, { recursive: true, force: true }));

  describeHost('next start', {
    ...traits,
    args: [next, 'start', '--port', '0', '--hostname', '127.0.0.1'],
  });
  describeHost('output: standalone', {
    ...traits,
    set: relative(folder, standalone),
    args: ['server.js'],
    env: { PORT: '0', HOSTNAME: '127.0.0.1' },
  });

  test('a chat route streams what its guard allows, and stores the exchange with its alert', async (t) => {
    const host = await startHost({
      set: relative(folder, standalone),
      args: ['server.js'],
      env: { PORT: '0', HOSTNAME: '127.0.0.1', DATABASE: 'memory' },
    });
    t.after(() => host.stop());
    const headers = { cookie: 'session=bob-session' };
    const body = JSON.stringify({ prompt: 'Who is it?' });
    const answer = await fetch(`${host.origin}/chat`, { method: 'POST', headers, body });
    const passed = await answer.text();
    assert.match(passed, /^You asked: Who is it\? .*\nI cannot help with that\.$/s);
    assert.doesNotMatch(passed, /536/);
    const staff = { headers: { cookie: 'session=ann-session' } };
    const alerts = await (await fetch(`${host.origin}/probity/alerts`, staff)).json();
    assert.deepEqual(
      alerts.data.map((/** @type {{ type: string }} */ { type }) => type),
      ['pii'],
    );
  });

  for (const path of ['/hook', '/edge-hook']) {
    test(`${path} receives a signed webhook and refuses a forged one`, async (t) => {
      const args = ['server.js'];
      const env = { PORT: '0', HOSTNAME: '127.0.0.1', WEBHOOK_SECRET: SECRET };
      const host = await startHost({ set: relative(folder, standalone), args, env });
      t.after(() => host.stop());
      const { body, headers } = signedRequest();
      const send = async (/** @type {string} */ sent) => {
        const answer = await fetch(host.origin + path, { method: 'POST', headers, body: sent });
        return [answer.status, await answer.text()];
      };
      assert.deepEqual(await send(body), [200, 'evt_1']);
      assert.deepEqual(await send(`${body} `), [401, 'signature_mismatch']);
    });
  }
});
