import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { startSmtpPeer } from '@probity/test-support';
import { CHANGE_RECIPES } from './change-recipes.ts';
import { operationsOf } from './furnished.ts';
import { integrationEnvironment } from './integration-recipes.ts';
import { withDatabase } from './open-database.ts';
import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { activeMember, ownPath, PASSWORD, POST_RECIPES, succeed } from './post-recipes.ts';
import type { Answer } from './support.ts';
import { bootstrap, CLOSED_ALLOWED, call, emptyDatabases, serve } from './support.ts';

const RECIPES: Readonly<Record<string, CallRecipe>> = { ...POST_RECIPES, ...CHANGE_RECIPES };

/** Times that each operation is called at once. */
const CALLS = 8;
const ROUNDS = 4;

/** One of several calls at once. */
interface Change {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
}

/** Two servers on one database, and an owner with several keys. */
interface World extends RecipeWorld {
  readonly urls: readonly [string, string];
  readonly location: string;
  readonly ownKeys: readonly string[];
  stop(): Promise<void>;
}

async function createWorld(t: TestContext): Promise<World> {
  const [, postgres] = emptyDatabases;
  assert.equal(postgres?.name, 'postgres');
  const location = await postgres.create(t);
  const inbox = await startSmtpPeer(t);
  const env = {
    PROBITY_SMTP_URL: inbox.url,
    PROBITY_MAIL_FROM: 'probity@acme.example',
    PROBITY_WEBHOOKS_EGRESS_ALLOW: CLOSED_ALLOWED,
    ...(await integrationEnvironment()),
  };
  const { organization_id: organizationId, api_key: key } = await bootstrap(location);
  const servers = [await serve(t, location, { env }), await serve(t, location, { env })] as const;
  const urls = [servers[0].url, servers[1].url] as const;
  const world = { url: urls[0], urls, location, organizationId, key, inbox };
  return {
    ...world,
    ownKeys: [key, (await newKey(world)).token, (await newKey(world)).token],
    async stop() {
      for (const { program } of servers) await program.terminate();
    },
  };
}

async function newKey(world: RecipeWorld): Promise<{ id: string; token: string }> {
  const path = ownPath(world, '/api-keys');
  const { id = '', token = '' } = await succeed(world, path, { name: 'Own', role: 'owner' });
  return { id, token };
}

/** A new member with sessions, by their ids and access tokens. */
async function memberWithSessions(world: RecipeWorld, count: number) {
  const { id, email } = await activeMember(world);
  const sessions = [];
  for (let index = 0; index < count; index += 1) {
    const signedIn = await succeed(world, '/v1/auth/login', { email, password: PASSWORD });
    const key = signedIn.access_token ?? '';
    const { body } = await call(`${world.url}/v1/auth/sessions`, key);
    const current = body.sessions.find((each: { is_current: boolean }) => each.is_current);
    sessions.push({ id: current.id as string, key });
  }
  return { id, email, sessions };
}

/** Sends the changes at once to both servers, every other one with an Idempotency-Key. */
async function race({ urls }: World, name: string, changes: readonly Change[]): Promise<Answer[]> {
  const answers = await Promise.all(
    changes.map(async ({ method, path, key, body }, index) => {
      const headers = index % 4 < 2 ? { 'Idempotency-Key': randomUUID() } : {};
      return call(`${urls[index % 2]}${path}`, key, method.toUpperCase(), body, headers);
    }),
  );
  for (const { status, body } of answers) {
    assert.ok(status < 500, `${name}: ${status} ${JSON.stringify(body)}`);
  }
  return answers;
}

/** Ends the servers, whose connections then have counted their deadlocks, and counts those. */
async function deadlocksOf({ location, stop }: World): Promise<number> {
  await stop();
  return withDatabase(location, async ({ reader }) => {
    const { rows } = await reader.execute<{ n: number }>(
      'select deadlocks as n from pg_stat_database where datname = current_database()',
      [],
    );
    return Number(rows[0]?.n);
  });
}

function successes(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status < 300).length;
}

test('any change that is called many times at once, by the same and by several credentials, causes no deadlock and no failure of the server', async (t) => {
  const world = await createWorld(t);
  const operations = await operationsOf(world.url);
  for (const { method, operationId } of operations) {
    const prepared = await RECIPES[operationId]?.(world);
    if (!prepared) continue;
    const keys = prepared.key === undefined ? world.ownKeys : [prepared.key];
    const changes = Array.from({ length: CALLS }, (_, index) => {
      const key = keys[index % keys.length] ?? '';
      return { method, path: prepared.path, key, body: prepared.body };
    });
    const answers = await race(world, operationId, changes);
    assert.ok(successes(answers) > 0, `${operationId}: ${JSON.stringify(answers[0])}`);
  }
  assert.equal(await deadlocksOf(world), 0);
});

test('credentials that end themselves and each other at once do so once, without a deadlock', async (t) => {
  const world = await createWorld(t);
  for (let round = 0; round < ROUNDS; round += 1) {
    const keys = await Promise.all([1, 2, 3, 4].map(() => newKey(world)));
    const revocations = keys.flatMap(({ token: key }) =>
      keys.map(({ id }) => ({ method: 'DELETE', path: ownPath(world, `/api-keys/${id}`), key })),
    );
    assert.equal(successes(await race(world, 'revokeApiKey', revocations)), keys.length);
    const own = await newKey(world);
    const path = ownPath(world, `/api-keys/${own.id}`);
    const itself = Array.from({ length: CALLS }, () => ({
      method: 'DELETE',
      path,
      key: own.token,
    }));
    assert.equal(successes(await race(world, 'revokeApiKey of itself', itself)), 1);
    const { sessions } = await memberWithSessions(world, 3);
    const ends = sessions.flatMap(({ key }) =>
      [...sessions, ...sessions].map(({ id }) => {
        return { method: 'DELETE', path: `/v1/auth/sessions/${id}`, key };
      }),
    );
    assert.equal(successes(await race(world, 'endSession', ends)), sessions.length);
  }
  assert.equal(await deadlocksOf(world), 0);
});

test('a member who leaves while others change it, and it changes and stores things, causes no deadlock', async (t) => {
  const world = await createWorld(t);
  const webhook = { url: 'https://8.8.8.8/hook', events: ['alert.created'] };
  const newPassword = { current_password: PASSWORD, new_password: 'another one of my own' };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, email, sessions } = await memberWithSessions(world, 2);
    const member = ownPath(world, `/members/${id}`);
    await call(world.url + member, world.key, 'PATCH', { role: 'admin' });
    const changes = sessions.flatMap(({ id: sessionId, key }): Change[] => [
      { method: 'DELETE', path: member, key },
      { method: 'POST', path: '/api/v1/webhooks', key, body: webhook },
      { method: 'POST', path: '/api/v1/governance/scan', key, body: { response: 'Hello.' } },
      { method: 'DELETE', path: `/v1/auth/sessions/${sessionId}`, key },
      { method: 'POST', path: ownPath(world, '/api-keys'), key, body: { name: 'CI' } },
      { method: 'POST', path: '/v1/auth/password', key, body: newPassword },
      { method: 'POST', path: `${member}/suspend`, key: world.key },
      { method: 'PATCH', path: member, key: world.key, body: { role: 'viewer' } },
      {
        method: 'POST',
        path: '/api/v1/webhooks/portal-tokens',
        key,
        body: { capabilities: ['view'] },
      },
    ]);
    const login = { path: '/v1/auth/login', body: { email, password: PASSWORD } };
    await Promise.all([
      race(world, 'changes of a member', changes),
      call(world.url + login.path, null, 'POST', login.body),
    ]);
  }
  assert.equal(await deadlocksOf(world), 0);
});
