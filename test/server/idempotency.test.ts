import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from '@probity/test-support';
import { until } from '@probity/test-support';
import { contentOf } from './database-content.ts';
import type { Bootstrapped, RunningServer } from './support.ts';
import { bootstrap, call, emptyDatabases, serve, serveProcess } from './support.ts';

/** Requests per key; 10,000 for a long run. */
const SENDS = Number(process.env.IDEMPOTENCY_SENDS ?? 120);
const KEYS = 3;
const CLIENTS = 16;
const SENDS_PER_KILL = 1_000;
const ALLOWED = new Set([201, 409, 503]);

/** Creates an API key called `name` with an Idempotency-Key. */
async function create(url: string, owner: Bootstrapped, key: string, name: string) {
  const response = await fetch(`${url}/v1/organizations/${owner.organization_id}/api-keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.api_key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ name }),
  });
  const isReplay = response.headers.get('idempotent-replayed') === 'true';
  return { status: response.status, isReplay, text: await response.text() };
}

async function namesOf(url: string, owner: Bootstrapped): Promise<string[]> {
  const path = `${url}/v1/organizations/${owner.organization_id}/api-keys?limit=200`;
  const { body } = await call(path, owner.api_key);
  return body.api_keys.map(({ name }: { name: string }) => name);
}

/** Two servers on one database; one at a time is killed and restarted. */
async function startPair(t: TestContext, location: string) {
  const servers: RunningServer<Program>[] = [
    await serveProcess(t, location),
    await serveProcess(t, location),
  ];
  let kills = 0;
  return {
    url: () => (servers[Math.random() < 0.5 ? 0 : 1] as RunningServer<Program>).url,
    async killOne() {
      const index = Math.random() < 0.5 ? 0 : 1;
      kills += 1;
      await servers[index]?.program.kill9();
      servers[index] = await serveProcess(t, location);
    },
    kills: () => kills,
    stop: () => Promise.all(servers.map(({ program }) => program.terminate())),
  };
}

type Pair = Awaited<ReturnType<typeof startPair>>;

/** Sends one key many times over both servers, with kills; returns the response bodies. */
async function race(pair: Pair, owner: Bootstrapped, name: string): Promise<Set<string>> {
  const key = randomUUID();
  const bodies = new Set<string>();
  let sent = 0;
  let firsts = 0;
  const client = async () => {
    while (sent < SENDS) {
      sent += 1;
      const answer = await create(pair.url(), owner, key, name).catch(() => null);
      if (!answer) continue;
      assert.ok(ALLOWED.has(answer.status), answer.text);
      if (answer.status !== 201) continue;
      bodies.add(answer.text);
      if (!answer.isReplay) firsts += 1;
    }
  };
  const killer = async () => {
    do {
      await delay(Math.random() * 25);
      await pair.killOne();
    } while (sent + SENDS_PER_KILL < SENDS);
  };
  await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
  let last = await create(pair.url(), owner, key, name);
  // Work of a killed server may not be rolled back yet: wait in that case.
  await until(async () => {
    if (last.status !== 201) last = await create(pair.url(), owner, key, name);
    assert.ok(ALLOWED.has(last.status), last.text);
    return last.status === 201;
  }, 'the last send has its answer');
  assert.ok(firsts + (last.isReplay ? 0 : 1) <= 1, 'the effect was answered as new twice');
  return bodies.add(last.text);
}

for (const database of emptyDatabases) {
  describe(`Idempotency-Key on ${database.name}`, () => {
    it(`${SENDS} requests with one Idempotency-Key over two servers that are killed have one effect`, async (t) => {
      const location = await database.create(t, 'disk');
      const owner = await bootstrap(location);
      const pair = await startPair(t, location);
      const names = Array.from({ length: KEYS }, (_, index) => `race ${index}`);
      for (const name of names) {
        const bodies = await race(pair, owner, name);
        assert.equal(bodies.size, 1, 'different answers were given');
      }
      const found = await namesOf(pair.url(), owner);
      assert.deepEqual(found.sort(), ['Bootstrap', ...names]);
      t.diagnostic(`${KEYS} keys, ${pair.kills()} kills`);
      await pair.stop();
    });

    it('the token of a created API key is replayed to its creator, and is not stored in the database', async (t) => {
      const location = await database.create(t);
      const owner = await bootstrap(location);
      const server = await serve(t, location);
      const first = await create(server.url, owner, 'k1', 'CI');
      assert.deepEqual([first.status, first.isReplay], [201, false]);
      assert.deepEqual(await create(server.url, owner, 'k1', 'CI'), { ...first, isReplay: true });
      const { token } = JSON.parse(first.text) as { token: string };
      const other = await create(server.url, { ...owner, api_key: token }, 'k1', 'CI');
      assert.deepEqual([other.status, other.isReplay], [201, false]);
      assert.notEqual(other.text, first.text);
      const secrets = [token, (JSON.parse(other.text) as { token: string }).token, owner.api_key];
      const assertHidden = (text: string) => {
        assert.ok(text.length > 0);
        for (const secret of secrets)
          assert.ok(!text.includes(secret.slice(12)), 'a token is there');
      };
      assertHidden(await contentOf(location));
      await server.program.terminate();
      assertHidden(await contentOf(location));
      assertHidden(server.program.stdout);
      assert.ok((await contentOf(location)).includes(token.slice(0, 12)), 'nothing was searched');
    });
  });
}
