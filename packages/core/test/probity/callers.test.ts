import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { Permission } from '../../src/contract/permissions.ts';
import { isPermitted, permissionsOf } from '../../src/contract/permissions.ts';
import type { Authenticate, AuthenticationRequest, Caller } from '../../src/http/authentication.ts';
import { contextOf } from '../../src/index.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { finishRemovals } from '../../src/testing/removals.ts';
import { ANN, createNotes } from './world.ts';

const url = 'http://host/probity';

function post(headers: Record<string, string> = {}): Request {
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ text: 'a' });
  return new Request(`${url}/notes`, { method: 'POST', body, headers: { ...json, ...headers } });
}

async function logged(authenticate: () => unknown): Promise<{ status: number; log: string }> {
  let log = '';
  const write = (line: string) => {
    log += line;
  };
  const logger = createLogger({ write });
  const probity = createNotes({ authenticate: authenticate as Authenticate, logger });
  const { status } = await probity.fetch(new Request(`${url}/caller`));
  await probity.stop();
  return { status, log };
}

const WRONG: ReadonlyArray<readonly [string, unknown, RegExp]> = [
  [
    'without an organization',
    { ...ANN, organizationId: undefined },
    /whose organizationId is undef/,
  ],
  ['with an organization of blanks', { ...ANN, organizationId: ' ' }, /whose organizationId is/],
  [
    'with a number as organization',
    { ...ANN, organizationId: 7 },
    /whose organizationId is number/,
  ],
  ['without a member', { ...ANN, memberId: null }, /whose memberId is/],
  ['without a role', { ...ANN, role: undefined }, /whose role is undefined; expected one of owner/],
  ['with an unknown role', { ...ANN, role: 'root' }, /whose role is .*root/],
  [
    'with an unknown permission',
    { organizationId: 'acme', memberId: 'ann', permissions: ['scans:create', 'scans:write'] },
    /whose permissions.1 is .*scans:write.*; expected one of organization:read, .*scans:create/,
  ],
  [
    'with a text as permissions',
    { organizationId: 'acme', memberId: 'ann', permissions: 'scans:create' },
    /whose permissions is .*scans:create.*; expected a list/,
  ],
  [
    'with a role and permissions',
    { ...ANN, permissions: ['scans:create'] },
    /whose role and permissions are both given; expected one of them/,
  ],
  ['with an unknown plan', { ...ANN, plan: 'gold' }, /whose plan is .*gold/],
  ['with null as grant', { ...ANN, grant: null }, /whose grant.scopes is undefined/],
  [
    'with an unknown scope',
    { ...ANN, grant: { scopes: ['all'], resourceIds: null } },
    /whose grant.scopes is object; expected a list of webhooks:view/,
  ],
  [
    'with a grant without resources',
    { ...ANN, grant: { scopes: [] } },
    /whose grant.resourceIds is undefined; expected null or a list/,
  ],
  ['that is a text', 'ann', /whose organizationId is undefined/],
];

for (const [name, caller, message] of WRONG) {
  test(`a caller ${name} is answered 500 and logged with the member at fault`, async () => {
    const { status, log } = await logged(() => caller);
    assert.equal(status, 500);
    assert.match(log, message);
  });
}

test('callers of a removed organization are not served until its data is deleted', async () => {
  const probity = createNotes({ authenticate: () => ANN });
  const call = () => probity.fetch(new Request(`${url}/caller`));
  assert.equal((await call()).status, 200);
  await probity.tenants.remove(ANN.organizationId);
  const refused = await call();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
  await finishRemovals(probity.database);
  assert.equal((await call()).status, 200);
  await probity.stop();
});

test('GET /whoami answers who calls, with any capability, and 401 to nobody', async () => {
  let caller: Caller | null = { ...ANN, role: 'viewer', plan: 'starter' };
  const probity = createNotes({ authenticate: () => caller });
  const ask = async () => {
    const response = await probity.fetch(new Request(`${url}/whoami`));
    const body = (await response.json()) as { readonly data: Record<string, unknown> };
    return { status: response.status, body };
  };
  const { status, body } = await ask();
  const { permissions, ...who } = body.data;
  assert.deepEqual(
    [status, who],
    [
      200,
      {
        ...{ organizationId: 'acme', memberId: 'ann', credential: 'key' },
        ...{ role: 'viewer', plan: 'starter' },
      },
    ],
  );
  assert.deepEqual(permissions, permissionsOf('viewer'));
  caller = { ...ANN, sessionId: 'ses_1' };
  assert.equal((await ask()).body.data.credential, 'session');
  caller = null;
  assert.equal((await ask()).status, 401);
  await probity.stop();
});

test('a caller with permissions instead of a role has exactly these permissions', async (t) => {
  let permissions: readonly Permission[] = ['scans:create'];
  const who = { organizationId: 'acme', memberId: 'customer' };
  const probity = createNotes({ authenticate: () => ({ ...who, permissions }) });
  t.after(() => probity.stop());
  assert.equal((await probity.fetch(post())).status, 201);
  const refused = await probity.fetch(new Request(`${url}/caller`));
  assert.equal(refused.status, 403);
  assert.match(
    await refused.text(),
    /needs the permission alerts:read, which the caller was not given/,
  );
  assert.equal((await probity.fetch(new Request(`${url}/whoami`))).status, 403);

  permissions = [];
  assert.equal((await probity.fetch(post())).status, 403);

  permissions = ['session:read', 'alerts:read'];
  assert.equal((await probity.fetch(post())).status, 403);
  const { data } = (await (await probity.fetch(new Request(`${url}/whoami`))).json()) as {
    readonly data: Record<string, unknown>;
  };
  assert.deepEqual([data.role, data.permissions], [null, ['alerts:read', 'session:read']]);
});

test('contextOf gives a call the stated rights and refuses unknown ones', () => {
  const organizationId = 'acme';
  assert.equal(contextOf({ organizationId }).principal.role, 'owner');
  const { principal } = contextOf({ organizationId, permissions: ['scans:create'] });
  assert.deepEqual([principal.role, principal.permissions], [null, ['scans:create']]);
  assert.deepEqual(
    [isPermitted(principal, 'scans:create'), isPermitted(principal, 'certificates:write')],
    [true, false],
  );
  for (const rights of [{ role: undefined }, { role: null }, { permissions: ['all'] }]) {
    const caller = { organizationId, ...rights } as Parameters<typeof contextOf>[0];
    assert.throws(() => contextOf(caller), /^TypeError: contextOf: (role|permissions)/);
  }
});

test('no junk returned by authenticate is served as a caller', async () => {
  let caller: unknown = null;
  const probity = createNotes({ authenticate: (() => caller) as Authenticate });
  const members = fc.record(
    {
      organizationId: fc.anything(),
      memberId: fc.anything(),
      role: fc.anything(),
      permissions: fc.anything(),
      plan: fc.anything(),
      grant: fc.anything(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.anything(), members), async (junk) => {
      caller = junk;
      const { status } = await probity.fetch(new Request(`${url}/caller`));
      assert.ok(status === 401 || status === 500, `${status} for ${fc.stringify(junk)}`);
    }),
    { numRuns: roundsOf(200) },
  );
  await probity.stop();
});

test('authenticate sees token, method, headers, address and the request of Node', async () => {
  let seen: AuthenticationRequest | undefined;
  const probity = createNotes({
    authenticate: async (request) => {
      seen = request;
      return null;
    },
  });
  const headers = { Authorization: 'Bearer abc', Cookie: 'sid=1', 'X-Own': 'yes' };
  assert.equal((await probity.fetch(post(headers))).status, 401);
  const { token, method, address, headers: found, raw } = seen ?? assert.fail('not called');
  assert.deepEqual([token, method, address], ['abc', 'POST', null]);
  assert.deepEqual([found.cookie, found['x-own'], raw.headers.cookie], ['sid=1', 'yes', 'sid=1']);
  await probity.stop();
});

const ORIGINS: ReadonlyArray<readonly [string, Record<string, string>, number]> = [
  ['by a program, which sends no origin', {}, 201],
  ['from a page of the same origin', { 'Sec-Fetch-Site': 'same-origin' }, 201],
  ['typed by the user', { 'Sec-Fetch-Site': 'none' }, 201],
  ['from a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['from a page of a sibling domain', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['from an old browser on the same origin', { Origin: 'http://host' }, 201],
  ['from an old browser on another origin', { Origin: 'https://evil.example' }, 403],
  ['from a sandboxed page', { Origin: 'null' }, 403],
];

for (const [name, headers, status] of ORIGINS) {
  test(`a change by cookie ${name} is answered ${status}`, async () => {
    const probity = createNotes();
    assert.equal((await probity.fetch(post({ Cookie: 'sid=1', ...headers }))).status, status);
    await probity.stop();
  });
}

test('a change with an Authorization header may come from a page of another origin', async () => {
  const probity = createNotes();
  const headers = { Authorization: 'Bearer abc', Origin: 'https://app.example' };
  assert.equal((await probity.fetch(post(headers))).status, 201);
  await probity.stop();
});

test('authenticate knows the request that probity.fetch was called with, and none under the others', async () => {
  const users = new WeakMap<Request, string>();
  const seen: Array<Request | undefined> = [];
  const probity = createNotes({
    authenticate: ({ request }) => {
      seen.push(request);
      const memberId = request && users.get(request);
      return memberId ? { organizationId: 'acme', memberId, role: 'member' } : null;
    },
  });
  const request = new Request(`${url}/caller`);
  users.set(request, 'ann');
  const response = await probity.fetch(request);
  assert.deepEqual(await response.json(), { organizationId: 'acme', memberId: 'ann' });
  assert.equal((await probity.fetch(new Request(`${url}/caller`))).status, 401);
  assert.equal(seen[0], request);
  await probity.stop();
});

const slowBody = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('{"text":'));
    },
  });

test('a client of probity.fetch that disconnects at any moment harms nobody', async () => {
  const probity = createNotes();
  await probity.ready();
  const aborted = new Request(`${url}/caller`, { signal: AbortSignal.abort() });
  await assert.rejects(probity.fetch(aborted), { name: 'AbortError' });
  const client = new AbortController();
  const init = { method: 'POST', body: slowBody(), duplex: 'half', signal: client.signal };
  const headers = { 'Content-Type': 'application/json' };
  const open = probity.fetch(new Request(`${url}/notes`, { ...init, headers } as RequestInit));
  setImmediate(() => client.abort());
  await assert.rejects(open);
  const answer = await probity.fetch(new Request(`${url}/openapi.json`));
  await answer.body?.cancel();
  const read = await probity.fetch(new Request(`${url}/openapi.json`));
  const reader = read.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  assert.equal((await probity.fetch(new Request(`${url}/caller`))).status, 200);
  await probity.stop();
});

test('a credential that browsers attach by themselves changes nothing from another origin', async (t) => {
  const probity = createNotes({ authenticate: () => ANN });
  t.after(() => probity.stop());
  const statusWith = async (authorization: string, site: string) =>
    (await probity.fetch(post({ authorization, 'sec-fetch-site': site }))).status;
  for (const authorization of ['Basic YTpi', 'Negotiate abc', 'Digest a="b"', '', 'Bearer']) {
    assert.equal(await statusWith(authorization, 'cross-site'), 403, authorization);
    assert.equal(await statusWith(authorization, 'same-origin'), 201, authorization);
  }
  assert.equal(await statusWith('Bearer abc', 'cross-site'), 201);
});
