import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { startSmtpPeer, until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { batchesEnd, UNAUDITED, WRITTEN_BESIDE } from './background-effects.ts';
import { CHANGE_RECIPES, LAST_CALLS } from './change-recipes.ts';
import { countRows } from './database-content.ts';
import { sendAround } from './held-request.ts';
import { integrationEnvironment } from './integration-recipes.ts';
import { withDatabase } from './open-database.ts';
import type { PreparedCall, RecipeWorld } from './post-recipes.ts';
import { ownPath, POST_RECIPES, succeed, UNKEYED_POSTS } from './post-recipes.ts';
import type { ScimCall } from './scim-recipes.ts';
import { SCIM_OTHERS, SCIM_RECIPES } from './scim-recipes.ts';
import type { EmptyDatabase } from './support.ts';
import { bootstrap, CLOSED_ALLOWED, call, emptyDatabases, serve } from './support.ts';

interface Operation {
  readonly method: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly requestBody?: unknown;
}

/** Tables about the progress of work and the requests of identity providers, not the effects of calls. */
const BOOKKEEPING = new Set([
  'probity_scim_requests',
  'probity_idempotency_records',
  'probity_jobs',
  'probity_webhook_attempt_counts',
]);

/** Two servers on one database. */
async function createWorld(t: TestContext, database: EmptyDatabase) {
  const location = await database.create(t);
  const inbox = await startSmtpPeer(t);
  const env = {
    // No webhook is disabled, and on the audit log, during later calls.
    PROBITY_WEBHOOKS_RETRY: 'resilient',
    PROBITY_SMTP_URL: inbox.url,
    PROBITY_MAIL_FROM: 'probity@acme.example',
    PROBITY_WEBHOOKS_EGRESS_ALLOW: CLOSED_ALLOWED,
    ...(await integrationEnvironment()),
  };
  const { organization_id: organizationId, api_key: key } = await bootstrap(location);
  const [first, second] = [await serve(t, location, { env }), await serve(t, location, { env })];
  const world: RecipeWorld = { url: first.url, organizationId, key, inbox };
  return { world, otherUrl: second.url, location };
}

type Created = Awaited<ReturnType<typeof createWorld>>;

/** Every operation with one of these methods, of SCIM or of the other interfaces. */
async function operationsOf(
  url: string,
  methods: readonly string[],
  isScim: boolean,
): Promise<Operation[]> {
  const { body } = await call(`${url}/openapi.json`, null);
  const paths = Object.values(body.paths) as Array<Record<string, Omit<Operation, 'method'>>>;
  const all = paths.flatMap((path) =>
    Object.entries(path).map(([method, operation]) => ({ ...operation, method })),
  );
  return all.filter(
    ({ method, tags }) => methods.includes(method) && isScim === tags.includes('SCIM'),
  );
}

async function effectsIn(location: string, operationId: string): Promise<Map<string, number>> {
  const counts = await countRows(location);
  const beside = WRITTEN_BESIDE[operationId] ?? [];
  for (const table of [...BOOKKEEPING, ...beside]) counts.delete(table);
  // A deleted webhook is hidden at once, and its row is deleted by a job.
  const webhooks = await withDatabase(location, ({ reader }) =>
    reader.execute<{ n: number }>(
      'select count(*) as n from probity_webhooks where deleted = 0',
      [],
    ),
  );
  return counts.set('probity_webhooks', Number(webhooks.rows[0]?.n));
}

/**
 * The effects without leases of quotas, which a process takes before it knows what a request does, and
 * without one-time codes, which are spent when they are checked, whatever becomes of the request.
 */
async function storedIn(location: string, operationId: string): Promise<Map<string, number>> {
  const effects = await effectsIn(location, operationId);
  // A replay that is not cancelled goes on.
  if (operationId === 'cancelWebhookReplay') effects.delete('probity_webhook_deliveries');
  for (const table of ['probity_usage_units', 'probity_recovery_codes']) effects.delete(table);
  return effects;
}

/** Calls that change two resources. */
const AUDITED_TWICE = new Set(['publishCorrection']);

/** Sends with a key; returns the answer without request-specific parts. */
async function send(
  method: string,
  url: string,
  credential: string,
  idempotencyKey: string,
  body: unknown,
) {
  const response = await fetch(url, {
    method: method.toUpperCase(),
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

/** Asserts that the same call to both servers has one effect and one answer. */
async function assertOneEffect(
  { world, otherUrl, location }: Created,
  { method, operationId, requestBody }: Operation,
  prepared: PreparedCall,
): Promise<void> {
  const { path, status, body, otherBody } = prepared;
  const key = randomUUID();
  const credential = prepared.key ?? world.key;
  const before = await effectsIn(location, operationId);
  const first = await send(method, world.url + path, credential, key, body);
  if (status === 204) assert.equal(first.text, '', operationId);
  assert.deepEqual([first.status, first.marker], [status, null], `${operationId}: ${first.text}`);
  const after = await effectsIn(location, operationId);
  assert.notDeepEqual(after, before, `${operationId} had no effect that could be seen`);
  const audited =
    (after.get('probity_audit_entries') ?? 0) - (before.get('probity_audit_entries') ?? 0);
  const expected = UNAUDITED.has(operationId) ? 0 : AUDITED_TWICE.has(operationId) ? 2 : 1;
  assert.equal(audited, expected, `${operationId} is not on the audit log`);
  const second = await send(method, otherUrl + path, credential, key, body);
  assert.deepEqual(second, { ...first, marker: 'true' }, operationId);
  const other = 'otherBody' in prepared;
  assert.equal(other, requestBody !== undefined, `${operationId}: another body`);
  if (other) {
    const refused = await send(method, otherUrl + path, credential, key, otherBody);
    const { error } = JSON.parse(refused.text);
    const expected = path.startsWith('/v1/') ? [400, 'invalid_request'] : [422, 'VALIDATION_ERROR'];
    assert.deepEqual([refused.status, error.code ?? error], expected, operationId);
  }
  assert.deepEqual(await effectsIn(location, operationId), after, `${operationId}: second effect`);
}

/** Entries of changes of users and groups; the members of users have their own. */
const SCIM_ENTRIES = `select count(*) as n from probity_audit_entries where action like 'scim_user.%'
  or action like 'scim_group.%'`;

/** Asserts that a change by an identity provider, which takes no Idempotency-Key, is on the audit log, each time. */
async function assertAudited(
  { world, otherUrl, location }: Created,
  { method, operationId }: Operation,
  { path, status, body, changes = 1 }: ScimCall,
): Promise<void> {
  const { token = '' } = await succeed(world, ownPath(world, '/scim'), {});
  const entries = async () => {
    const { rows } = await withDatabase(location, ({ reader }) =>
      reader.execute<{ n: number }>(SCIM_ENTRIES, []),
    );
    return Number(rows[0]?.n);
  };
  const before = await entries();
  const key = randomUUID();
  const first = await send(method, world.url + path, token, key, body);
  assert.equal(first.status, status, `${operationId}: ${first.text}`);
  if (status === 204) assert.equal(first.text, '', operationId);
  assert.equal(await entries(), before + changes, `${operationId} is not on the audit log`);
  const second = await send(method, otherUrl + path, token, key, body);
  assert.equal(second.marker, null, operationId);
}

/** A credential that a test ends while a request with it is open. */
interface EndableCredential {
  readonly key: string;
  readonly id: string;
  /** Its table, and the change that ends it. */
  readonly table: string;
  readonly ended: string;
  end(): Promise<void>;
}

/** An owner's key. */
async function createKeyToRevoke(world: RecipeWorld): Promise<EndableCredential> {
  const keys = ownPath(world, '/api-keys');
  const { id = '', token: key = '' } = await succeed(world, keys, {
    name: 'Revoked',
    role: 'owner',
  });
  assert.match(key, /^pbk_/);
  return {
    key,
    id,
    table: 'probity_api_keys',
    ended: 'revoked_at = 1',
    end: () => expectDone(`${world.url}${keys}/${id}`, world.key),
  };
}

/** The session of an access token. */
async function sessionToEnd(world: RecipeWorld, key: string): Promise<EndableCredential> {
  const path = `${world.url}/v1/auth/sessions`;
  const { body } = await call(path, key);
  const current = body.sessions.find((each: { is_current: boolean }) => each.is_current);
  return {
    key,
    id: current.id,
    table: 'probity_sessions',
    ended: 'expires_at = 1',
    end: () => expectDone(`${path}/${current.id}`, key),
  };
}

/** A SCIM token in place of the former one. */
async function scimTokenToEnd({ world, location }: Created): Promise<EndableCredential> {
  const path = ownPath(world, '/scim');
  const { token: key = '' } = await succeed(world, path, {});
  const { rows } = await withDatabase(location, ({ reader }) =>
    reader.execute<{ id: string }>(
      'select id from probity_scim_tokens where revoked_at is null',
      [],
    ),
  );
  assert.equal(rows.length, 1);
  return {
    key,
    id: rows[0]?.id ?? '',
    table: 'probity_scim_tokens',
    ended: 'revoked_at = 1',
    end: () => expectDone(world.url + path, world.key),
  };
}

async function expectDone(url: string, key: string): Promise<void> {
  assert.equal((await call(url, key, 'DELETE')).status, 204);
}

/** The credential of a prepared call that takes one of a person or of an identity provider, else a key. */
function credentialFor(
  created: Created,
  { tags }: Operation,
  { key }: PreparedCall,
): Promise<EndableCredential> {
  if (tags.includes('SCIM')) return scimTokenToEnd(created);
  return key === undefined ? createKeyToRevoke(created.world) : sessionToEnd(created.world, key);
}

/** The credential ends after the server has accepted the head of the request. */
async function assertNoEffectOfEndedCredential(
  created: Created,
  operation: Operation,
  prepared: PreparedCall,
): Promise<void> {
  const { world, location } = created;
  const { method, operationId } = operation;
  const { path, body } = prepared;
  const { key, end } = await credentialFor(created, operation, prepared);
  let before = new Map<string, number>();
  const held = { method: method.toUpperCase(), url: world.url + path, key, body };
  const status = await sendAround(held, async () => {
    await end();
    before = await storedIn(location, operationId);
  });
  assert.equal(status, 401, operationId);
  assert.deepEqual(
    await storedIn(location, operationId),
    before,
    `${operationId} by an ended credential`,
  );
}

/** The credential ends while the request is on its way to its write transaction. */
async function assertNoEffectBesideTheEnd(
  created: Created,
  operation: Operation,
  prepared: PreparedCall,
): Promise<void> {
  const { world, location } = created;
  const { method, operationId } = operation;
  const { path, body } = prepared;
  const { id, key, table, ended } = await credentialFor(created, operation, prepared);
  const before = await storedIn(location, operationId);
  const sent = await withDatabase(location, (database) =>
    database.transaction(async (session) => {
      // Readers see the credential in force until this transaction commits.
      await session.execute(`select id from ${table} where id = $1 for update`, [id]);
      await session.execute(`update ${table} set ${ended} where id = $1`, [id]);
      let status: number | undefined;
      const answer = send(method, world.url + path, key, randomUUID(), body).then((answered) => {
        status = answered.status;
        return answered;
      });
      await until(async () => {
        // A transaction sees the activity of its first look until then.
        await session.execute('select pg_stat_clear_snapshot()', []);
        const { rows } = await session.execute<{ n: number }>(WAITING, []);
        return status !== undefined || Number(rows[0]?.n) > 0;
      }, `${operationId} waits`);
      assert.equal(
        status,
        undefined,
        `${operationId} does not look at its credential as it writes`,
      );
      return { answer };
    }),
  );
  const { status, text } = await sent.answer;
  if (operationId === 'runScimBulk') {
    // Operations of a bulk request are answered one by one; the second refers to the first.
    const { Operations } = JSON.parse(text) as { Operations: Array<{ status: string }> };
    assert.deepEqual(
      Operations.map((each) => each.status),
      ['401', '400'],
    );
  } else {
    assert.equal(status, 401, operationId);
  }
  assert.deepEqual(await storedIn(location, operationId), before, `${operationId} beside the end`);
}

const WAITING = `select count(*) as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

const GROUPS = [
  { methods: ['post'], recipes: POST_RECIPES, others: UNKEYED_POSTS },
  { methods: ['put', 'patch', 'delete'], recipes: CHANGE_RECIPES, others: LAST_CALLS },
] as const;

for (const database of sampleTargets(emptyDatabases)) {
  for (const { methods, recipes, others } of GROUPS) {
    const names = methods.join(', ').toUpperCase();
    describe(`${database.name}: a ${names} sent twice with one Idempotency-Key, to two servers`, () => {
      it(`a ${names} repeated with one Idempotency-Key has one effect, audit entry and answer, and refuses another body; none if its credential ends before the body has arrived or before it writes`, async (t) => {
        const created = await createWorld(t, database);
        const operations = await operationsOf(created.world.url, methods, false);
        assert.ok(operations.length > 10);
        for (const operation of operations) {
          const { operationId, security } = operation;
          if (security.length === 0 || others.has(operationId)) {
            assert.ok(others.has(operationId), `${operationId} is not a known public operation`);
            continue;
          }
          const recipe = recipes[operationId];
          assert.ok(recipe, `${operationId} has no recipe`);
          let prepared = await recipe(created.world);
          /** A session that has ended is of no use for the next call. */
          const prepareAgain = async () => {
            if (prepared.key !== undefined) prepared = await recipe(created.world);
          };
          if ('body' in prepared) {
            await assertNoEffectOfEndedCredential(created, operation, prepared);
            await prepareAgain();
          }
          if (database.name === 'postgres') {
            await assertNoEffectBesideTheEnd(created, operation, prepared);
            await prepareAgain();
          }
          await assertOneEffect(created, operation, prepared);
          await batchesEnd(created.location);
        }
        const known = [...Object.keys(recipes), ...others];
        const found = new Set(operations.map(({ operationId }) => operationId));
        const stale = known.filter((each) => !found.has(each));
        assert.deepEqual(stale, [], 'recipes of operations that there are no more');
      });
    });
  }

  describe(`${database.name}: a change by an identity provider`, () => {
    it('is on the audit log once; it has no effect if its token ends before the body has arrived or before it writes', async (t) => {
      const created = await createWorld(t, database);
      const methods = ['post', 'put', 'patch', 'delete'];
      const operations = await operationsOf(created.world.url, methods, true);
      const known = [...Object.keys(SCIM_RECIPES), ...SCIM_OTHERS];
      const found = operations.map(({ operationId }) => operationId);
      assert.deepEqual(known.sort(), found.sort());
      for (const operation of operations) {
        const recipe = SCIM_RECIPES[operation.operationId];
        if (!recipe) continue;
        const { token = '' } = await succeed(created.world, ownPath(created.world, '/scim'), {});
        const prepared = await recipe({ url: created.world.url, scimToken: token });
        if ('body' in prepared) await assertNoEffectOfEndedCredential(created, operation, prepared);
        if (database.name === 'postgres') {
          await assertNoEffectBesideTheEnd(created, operation, prepared);
        }
        await assertAudited(created, operation, prepared);
      }
    });
  });
}
