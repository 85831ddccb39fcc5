import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { errorReply, pageOf, startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY, onTerminal } from '../program.ts';

const ID = '01970000-0000-7000-8000-000000000001';
const SYSTEM = {
  ...{ id: ID, name: 'Support assistant', description: null, riskClass: 'limited' },
  ...{ owner: 'Care', createdAt: '2026-01-31T00:00:00.000Z' },
  updatedAt: '2026-01-31T00:00:00.000Z',
};

async function start(t: TestContext) {
  const { url, requests } = await startCapturingServer(t, ({ method }) => {
    if (method === 'DELETE') {
      return errorReply(409, 'CONFLICT', 'The AI system has evidence.');
    }
    return method === 'GET' ? { body: pageOf([SYSTEM]) } : { status: 201, body: { data: SYSTEM } };
  });
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url };
  const home = createHome(t);
  return { requests, env, run: (...args: string[]) => home.run(['ai-systems', ...args], { env }) };
}

describe('ai-systems', () => {
  it('list prints JSON Lines, and a table on a terminal', async (t) => {
    const { run, env } = await start(t);
    const { code, stdout } = await run('list');
    assert.deepEqual([code, stdout], [0, `${JSON.stringify(SYSTEM)}\n`]);
    const shown = await onTerminal(['ai-systems', 'list'], { ...env, NO_COLOR: '1' });
    assert.ok(
      shown === null || /limited +Support assistant +Care\n$/.test(shown),
      `no table: ${shown}`,
    );
  });

  it('create sends what is given, and prints the AI system', async (t) => {
    const { run, env, requests } = await start(t);
    const args = ['create', 'Support assistant', '--risk-class', 'limited', '--owner', 'Care'];
    const { code, stdout } = await run(...args);
    assert.deepEqual([code, stdout], [0, `${JSON.stringify(SYSTEM)}\n`]);
    const [request] = requests;
    assert.deepEqual(
      [request?.method, request?.path, JSON.parse(request?.body ?? '')],
      [
        'POST',
        '/api/v1/compliance/ai-systems',
        { name: 'Support assistant', riskClass: 'limited', owner: 'Care' },
      ],
    );
    assert.match(String(request?.headers['idempotency-key']), /^\w{16,}$/);
    const shown = await onTerminal(['ai-systems', ...args], { ...env, NO_COLOR: '1' });
    assert.ok(shown === null || /^AI system +Support assistant\nId +0197/.test(shown), `${shown}`);
  });

  it('update changes what is given, with null for an empty text and for none', async (t) => {
    const { run, requests } = await start(t);
    const args = ['--owner', '', '--risk-class', 'none', '--description', 'Answers customers.'];
    assert.equal((await run('update', ID.toUpperCase(), ...args)).code, 0);
    assert.deepEqual(
      [requests[0]?.method, requests[0]?.path, JSON.parse(requests[0]?.body ?? '')],
      [
        'PATCH',
        `/api/v1/compliance/ai-systems/${ID}`,
        { description: 'Answers customers.', riskClass: null, owner: null },
      ],
    );
  });

  it('delete tells why the server refuses it', async (t) => {
    const { run, requests } = await start(t);
    const { code, stderr } = await run('delete', ID);
    assert.equal(code, 5);
    assert.match(stderr, /^probity: The AI system has evidence \(CONFLICT, request \S+\)\n$/);
    assert.equal(requests.length, 1);
  });

  for (const [args, text] of [
    [['update', ID], /nothing to change: give --name/],
    [['update', 'desk', '--name', 'a'], /Expected a UUID/],
    [['create'], /missing required argument 'name'/],
    [['create', 'a', '--risk-class', 'high-risk'], /Allowed choices are prohibited, high/],
  ] as const) {
    it(`${args.join(' ')} is exit code 2, and nothing is sent`, async (t) => {
      const { run, requests } = await start(t);
      const { code, stderr } = await run(...args);
      assert.deepEqual([code, requests.length], [2, 0]);
      assert.match(stderr, text);
    });
  }
});
