import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { CapturedRequest, Reply } from '../capturing-server.ts';
import { pageOf, startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY, onTerminal } from '../program.ts';

const NOTHING = { changed: [], unchanged: [], alreadyResolved: [], unknown: [] };

async function start(t: TestContext, answer: (request: CapturedRequest) => Reply) {
  const { url, requests } = await startCapturingServer(t, answer);
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url };
  const home = createHome(t);
  return { requests, env, run: (...args: string[]) => home.run(args, { env }) };
}

describe('alerts', () => {
  it('are narrowed by time, scan, assignee and text', async (t) => {
    const { requests, run } = await start(t, () => ({ body: pageOf([]) }));
    const times = ['--since', '2026-01-01T00:00:00Z', '--until', '2026-01-02T00:00:00Z'];
    const others = ['--scan-id', 'scn_1', '--assignee', 'mem_1', '--q', 'a test'];
    const { code } = await run('alerts', ...times, ...others);
    assert.equal(code, 0);
    const query = new URL(requests[0]?.path ?? '', 'http://a').searchParams;
    assert.deepEqual(Object.fromEntries(query), {
      ...{ since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', scanId: 'scn_1' },
      ...{ assignee: 'mem_1', q: 'a test', limit: '50' },
    });
    assert.equal((await run('alerts', '--since', 'yesterday')).code, 2);
  });

  it('alerts list sends the same query as alerts', async (t) => {
    const { requests, run } = await start(t, () => ({ body: pageOf([]) }));
    const { code, stderr } = await run('alerts', 'list', '--status', 'open', '--limit', '7');
    assert.equal(code, 0, stderr);
    const query = new URL(requests[0]?.path ?? '', 'http://a').searchParams;
    assert.deepEqual(Object.fromEntries(query), { status: 'open', limit: '7' });
  });

  it('are resolved, and what became of each is printed as JSON', async (t) => {
    const data = { ...NOTHING, changed: ['alr_1'], alreadyResolved: ['alr_2'] };
    const { requests, run } = await start(t, () => ({ body: { data } }));
    const options = ['--resolution', 'A test number', '--json'];
    const { code, stdout } = await run('alerts', 'resolve', 'alr_1', 'alr_2', ...options);
    assert.deepEqual([code, JSON.parse(stdout)], [0, data]);
    const [request] = requests;
    assert.deepEqual(
      [request?.method, request?.path, JSON.parse(request?.body ?? '')],
      ['POST', '/api/v1/alerts/resolve', { ids: ['alr_1', 'alr_2'], resolution: 'A test number' }],
    );
    assert.equal((await run('alerts', 'resolve', 'alr_1')).code, 2);
  });

  it('are acknowledged 500 at a time; an unknown one is exit code 1', async (t) => {
    const { requests, run } = await start(t, ({ body }) => {
      const { ids } = JSON.parse(body) as { ids: string[] };
      const unknown = ids.filter((id) => id === 'alr_700');
      return {
        body: { data: { ...NOTHING, changed: ids.filter((id) => id !== 'alr_700'), unknown } },
      };
    });
    const ids = Array.from({ length: 701 }, (_, index) => `alr_${index}`);
    const { code, stdout } = await run('alerts', 'ack', ...ids);
    assert.deepEqual(
      [code, JSON.parse(stdout)],
      [1, { ...NOTHING, changed: ids.slice(0, 700), unknown: ['alr_700'] }],
    );
    assert.deepEqual(
      requests.map(({ path, body }) => [path, JSON.parse(body).ids.length]),
      [
        ['/api/v1/alerts/acknowledge', 500],
        ['/api/v1/alerts/acknowledge', 201],
      ],
    );
  });

  it('on a terminal what became of each is a line', async (t) => {
    const data = { ...NOTHING, changed: ['alr_1'], alreadyResolved: ['alr_2'], unknown: ['alr_3'] };
    const { env } = await start(t, () => ({ body: { data } }));
    const args = ['alerts', 'resolve', 'alr_1', 'alr_2', 'alr_3', '--resolution', 'Done'];
    const shown = await onTerminal(args, { ...env, NO_COLOR: '1' });
    if (shown === null) return t.skip('there is no script(1): the terminal was NOT tried');
    assert.match(shown, /alr_1: resolved\r?\nalr_2: resolved before\r?\nalr_3: not found/);
  });
});
