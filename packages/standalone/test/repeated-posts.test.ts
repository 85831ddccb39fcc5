import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { countRows } from './database-content.ts';
import { POST_RECIPES, PUBLIC_POSTS, type RecipeWorld } from './post-recipes.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly requestBody?: unknown;
}

/** Tables that say how work goes on, not what was done. */
const BOOKKEEPING = new Set(['idempotency_records', 'jobs']);

/** Two servers on one database. */
async function createWorld(t: TestContext, location: string) {
  const inbox = await startSmtpPeer(t);
  const env = { PROBITY_SMTP_URL: inbox.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
  const owner = await bootstrap(t, location);
  const [first, second] = [await serve(t, location, { env }), await serve(t, location, { env })];
  const world: RecipeWorld = {
    url: first.url,
    organizationId: owner.organization_id,
    key: owner.api_key,
    inbox,
  };
  return { world, otherUrl: second.url };
}

async function postsOf(url: string): Promise<Operation[]> {
  const { body } = await call(`${url}/openapi.json`, null);
  const paths = Object.values(body.paths) as Array<{ post?: Operation }>;
  return paths.flatMap(({ post }) => post ?? []);
}

async function effectsIn(location: string): Promise<Array<[string, number]>> {
  return [...(await countRows(location))].filter(([table]) => !BOOKKEEPING.has(table));
}

/** Sends with a key; the answer without what tells one request from another. */
async function post(url: string, credential: string, idempotencyKey: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      'idempotency-key': idempotencyKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, marker: headers.get('idempotent-replayed'), text: await response.text() };
}

for (const database of emptyDatabases) {
  describe(`${database.name}: a POST sent twice with one Idempotency-Key, to two servers`, () => {
    it('has one effect and one answer, and refuses another body, whatever the operation', async (t) => {
      const location = await database.create(t);
      const { world, otherUrl } = await createWorld(t, location);
      const posts = await postsOf(world.url);
      assert.ok(posts.length > 10);
      for (const { operationId, security, requestBody } of posts) {
        if (security.length === 0) {
          assert.ok(PUBLIC_POSTS.has(operationId), `${operationId} is not a known public POST`);
          continue;
        }
        const recipe = POST_RECIPES[operationId];
        assert.ok(recipe, `${operationId} has no recipe in post-recipes.ts`);
        const prepared = await recipe(world);
        const { path, status, body, otherBody } = prepared;
        const key = randomUUID();
        const credential = prepared.key ?? world.key;
        const before = await effectsIn(location);
        const first = await post(world.url + path, credential, key, body);
        assert.deepEqual(
          [first.status, first.marker],
          [status, null],
          `${operationId}: ${first.text}`,
        );
        const after = await effectsIn(location);
        assert.notDeepEqual(after, before, `${operationId} had no effect that could be seen`);
        const second = await post(otherUrl + path, credential, key, body);
        assert.deepEqual(second, { ...first, marker: 'true' }, operationId);
        const other = 'otherBody' in prepared;
        assert.equal(other, requestBody !== undefined, `${operationId}: another body`);
        if (other) {
          const refused = await post(otherUrl + path, credential, key, otherBody);
          const { error } = JSON.parse(refused.text);
          const expected = path.startsWith('/v1/')
            ? [400, 'invalid_request']
            : [422, 'VALIDATION_ERROR'];
          assert.deepEqual([refused.status, error.code ?? error], expected, operationId);
        }
        assert.deepEqual(await effectsIn(location), after, `${operationId} had a second effect`);
      }
      const names = new Set(posts.map(({ operationId }) => operationId));
      const stale = [...Object.keys(POST_RECIPES), ...PUBLIC_POSTS].filter(
        (each) => !names.has(each),
      );
      assert.deepEqual(stale, [], 'recipes of operations that there are no more');
    });
  });
}
