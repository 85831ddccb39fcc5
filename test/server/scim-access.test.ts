import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { startSmtpPeer } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { sendAround } from './held-request.ts';
import type { RecipeWorld } from './post-recipes.ts';
import { activeMember, ownPath, PASSWORD, succeed } from './post-recipes.ts';
import type { EmptyDatabase } from './support.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

const SERVICE = 'urn:service:params:scim:schemas:extension:1.0';
const WEBHOOK = { url: 'https://8.8.8.8/hook', events: ['alert.created'] };

type Change = readonly [method: string, path: string, body?: object];

/** What the identity provider says of a person, and what an administrator's request is then answered with. */
const ENDINGS: Readonly<Record<string, readonly [change: Change, status: number]>> = {
  'is deleted': [['DELETE', '/Users/ID'], 401],
  'is deactivated by PATCH': [
    ['PATCH', '/Users/ID', patch({ op: 'Replace', path: 'active', value: 'False' })],
    401,
  ],
  'is deleted by a bulk request': [
    ['POST', '/Bulk', { Operations: [{ method: 'DELETE', path: '/Users/ID' }] }],
    401,
  ],
  'gets a lower role': [
    ['PATCH', '/Users/ID', patch({ op: 'replace', path: `${SERVICE}:roles`, value: ['viewer'] })],
    403,
  ],
};

function patch(...Operations: object[]): object {
  return { Operations };
}

/** Two servers on one database, with an organization. */
async function startPair(t: TestContext, empty: EmptyDatabase) {
  const database = await empty.create(t);
  const inbox = await startSmtpPeer(t);
  const env = { PROBITY_SMTP_URL: inbox.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
  const { organization_id: organizationId, api_key: key, scim_token } = await bootstrap(database);
  const [one, other] = [await serve(t, database, { env }), await serve(t, database, { env })];
  const world: RecipeWorld = { url: one.url, organizationId, key, inbox };
  return { world, token: scim_token, urls: [one.url, other.url] as const };
}

/** An administrator whom the identity provider manages, with a key and a session; all of it made on the first server. */
async function provisionedAdmin({ world, token }: Awaited<ReturnType<typeof startPair>>) {
  const { email } = await activeMember(world);
  const body = { userName: email, emails: [{ value: email }], [SERVICE]: { roles: ['admin'] } };
  const user = await call(`${world.url}/scim/v2/Users`, token, 'POST', body);
  assert.equal(user.status, 201, JSON.stringify(user.body));
  const signedIn = await succeed(world, '/v1/auth/login', { email, password: PASSWORD });
  const session = signedIn.access_token ?? '';
  const keys = `${world.url}${ownPath(world, '/api-keys')}`;
  const made = await call(keys, session, 'POST', { name: 'Key', role: 'admin' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { id: user.body.id as string, credentials: [session, made.body.token as string] };
}

for (const empty of sampleTargets(emptyDatabases)) {
  describe(`${empty.name}: access that the identity provider ends`, () => {
    for (const [title, [[method, path, body], status]] of Object.entries(ENDINGS)) {
      test(`a person who ${title} is refused from the answer on, on every server, open requests included`, async (t) => {
        const pair = await startPair(t, empty);
        const { id, credentials } = await provisionedAdmin(pair);
        const [first, second] = pair.urls;
        const webhooks = (url: string) => `${url}/api/v1/webhooks`;
        const create = (url: string, credential: string) =>
          call(webhooks(url), credential, 'POST', WEBHOOK);
        // Both servers know both credentials.
        for (const url of pair.urls) {
          for (const credential of credentials) {
            assert.equal((await create(url, credential)).status, 201);
          }
        }
        const end = async () => {
          const named = JSON.parse(JSON.stringify(body ?? null).replaceAll('ID', id));
          const answer = await call(
            `${first}/scim/v2${path.replace('ID', id)}`,
            pair.token,
            method,
            named ?? undefined,
          );
          assert.ok(answer.status < 300, JSON.stringify(answer.body));
        };
        const open = (url: string, key = '') => ({
          ...{ method: 'POST', url: webhooks(url), key, body: WEBHOOK },
        });
        const [session, key] = credentials;
        const held = [
          open(first, session),
          open(first, key),
          open(second, session),
          open(second, key),
        ];
        const statuses: number[] = [];
        const hold = async (index: number): Promise<void> => {
          const request = held[index];
          if (!request) return end();
          statuses.push(await sendAround(request, () => hold(index + 1)));
        };
        await hold(0);
        assert.deepEqual(statuses, [status, status, status, status]);
        for (const url of pair.urls) {
          for (const credential of credentials) {
            assert.equal((await create(url, credential)).status, status);
          }
        }
        const { body: stored } = await call(webhooks(second), pair.world.key);
        assert.equal(stored.total, 4);
      });
    }

    for (const [title, method] of [
      ['disabled', 'DELETE'],
      ['regenerated', 'POST'],
    ] as const) {
      test(`a SCIM token that is ${title} is refused from the answer on, with its access tokens, on every server`, async (t) => {
        const { world, token, urls } = await startPair(t, empty);
        const form = { grant_type: 'client_credentials', client_id: world.organizationId };
        const issued = await fetch(`${world.url}/scim/v2/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ ...form, client_secret: token }),
        });
        const { access_token } = (await issued.json()) as { access_token: string };
        const tokens = [token, access_token];
        const list = (url: string, each: string) => call(`${url}/scim/v2/Users`, each);
        for (const url of urls) {
          for (const each of tokens) assert.equal((await list(url, each)).status, 200);
        }
        const end = async () => {
          const path = `${urls[0]}${ownPath(world, '/scim')}`;
          assert.ok((await call(path, world.key, method, undefined)).status < 300);
        };
        const held = urls.flatMap((url, server) =>
          tokens.map((key, index) => {
            const userName = `held${server}${index}@acme.example`;
            const body = { userName, emails: [{ value: userName }] };
            return { method: 'POST', url: `${url}/scim/v2/Users`, key, body };
          }),
        );
        const statuses: number[] = [];
        const hold = async (index: number): Promise<void> => {
          const request = held[index];
          if (!request) return end();
          statuses.push(await sendAround(request, () => hold(index + 1)));
        };
        await hold(0);
        assert.deepEqual(statuses, [401, 401, 401, 401]);
        for (const url of urls) {
          for (const each of tokens) assert.equal((await list(url, each)).status, 401);
        }
        const status = await call(`${urls[1]}${ownPath(world, '/scim')}`, world.key);
        assert.equal(status.body.user_count, 0);
      });
    }
  });
}
