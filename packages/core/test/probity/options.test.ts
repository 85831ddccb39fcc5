import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextOf, createProbity, DEFAULT_RATE_LIMITS } from '../../src/index.ts';
import { ANN, createNotes, notes } from './world.ts';

const VALID = { database: 'memory', authenticate: () => ANN, capabilities: [notes()] };

const WRONG: ReadonlyArray<readonly [string, object, RegExp]> = [
  ['no database', { database: undefined }, /database is missing/],
  ['no authenticate', { authenticate: undefined }, /authenticate must be a function/],
  ['no capabilities', { capabilities: undefined }, /capabilities must be a list/],
  ['an empty list of capabilities', { capabilities: [] }, /capabilities must be a list/],
  ['a capability twice', { capabilities: [notes(), notes()] }, /has notes twice/],
  ['a mount without a slash', { mount: 'probity' }, /mount must be a path/],
  ['a mount that ends with a slash', { mount: '/probity/' }, /mount must be a path/],
  ['a base that is no URL', { baseUrl: 'app.example' }, /baseUrl must be the server's URL/],
  ['a key of 3 bytes', { encryptionKey: 'AAAA' }, /createProbity: encryptionKey must be 32 bytes/],
  ['a list of networks in words', { trustedProxies: 'nginx' }, /trustedProxies: "nginx" in a list/],
  [
    'a list of networks as an array',
    { trustedProxies: ['::1/128'] },
    /trustedProxies must be a text/,
  ],
  ['a logger without info', { logger: { error() {} } }, /logger must be .*; debug is no function/],
  ['no logger but null', { logger: null }, /createProbity: logger must be an object with debug/],
  ['empty metrics', { metrics: {} }, /metrics must be .*; count is no function/],
  ['a clock without timers', { clock: { now() {}, monotonicMs() {} } }, /clock .* setTimer is no/],
  ['rate limits without a limiter', { rateLimits: {} }, /rateLimits\.limiter must be .* consume/],
  [
    'rate limits without the limit of an interface',
    { rateLimits: { limiter: { consume() {} }, limits: {} } },
    /rateLimits\.limits\.platform must be \{ requests, windowSeconds \}/,
  ],
  [
    'a rate limit of no requests',
    {
      rateLimits: {
        limiter: { consume() {} },
        limits: { ...DEFAULT_RATE_LIMITS, general: { requests: 0, windowSeconds: 60 } },
      },
    },
    /rateLimits\.limits\.general must be/,
  ],
  ['docs that is a text', { docs: 'no' }, /docs must be true or false, not /],
  ['an option that does not exist', { mout: '/x' }, /mout is not an option; known are database, /],
  [
    'a capability that was not called',
    { capabilities: [notes] },
    /capabilities\.0 is no capability; call/,
  ],
];

for (const [name, changes, message] of WRONG) {
  test(`createProbity refuses ${name}`, () => {
    assert.throws(() => createProbity({ ...VALID, ...changes } as never), message);
  });
}

const WRONG_DATABASES: ReadonlyArray<readonly [string, unknown, RegExp]> = [
  [
    'a URL of another database',
    'mysql://localhost/app',
    /database must be sqlite:PATH or postgres/,
  ],
  ['an object of no known form', {}, /database must be "sqlite:PATH"/],
  ['a SQLite file in memory', 'sqlite::memory:', /in memory has one connection only/],
];

for (const [name, database, message] of WRONG_DATABASES) {
  test(`createProbity on ${name} fails when it is opened`, async () => {
    await assert.rejects(createNotes({ database: database as never }).ready(), message);
  });
}

test('services, database and document are refused before Probity is open', async () => {
  const probity = createNotes();
  assert.throws(() => probity.services, /await probity\.migrate\(\), start\(\) or ready\(\) first/);
  assert.throws(() => probity.database, /not open yet/);
  assert.throws(() => probity.openapi(), /not open yet/);
  await probity.ready();
  assert.deepEqual(Object.keys(probity.services), ['notes']);
  assert.ok('/caller' in (probity.openapi() as { paths: object }).paths);
  await probity.stop();
});

test('contextOf completes a caller and refuses a wrong one by member', () => {
  const { principal, address, requestId } = contextOf({ organizationId: 'acme' });
  const { organizationId, memberId, role, plan } = principal;
  assert.deepEqual(
    [organizationId, memberId, role, plan],
    ['acme', 'system', 'owner', 'enterprise'],
  );
  assert.equal(address, null);
  assert.match(requestId, /^req_/);
  assert.throws(
    () => contextOf({ organizationId: '' }),
    /^TypeError: contextOf: organizationId is/,
  );
  assert.throws(() => contextOf({ organizationId: 'acme', role: 'root' as never }), /role/);
  const misspelt = { organizationId: 'acme', rol: 'viewer' };
  assert.throws(() => contextOf(misspelt), /^TypeError: contextOf: rol is not an option/);
  const options = { sesion: {} } as never;
  assert.throws(() => contextOf({ organizationId: 'acme' }, options), /sesion is not an option/);
});

test('a handler that was called instead of passed says so', () => {
  const handler = createNotes().node as (...given: unknown[]) => void;
  assert.throws(() => handler(), /probity\.node is the handler: pass it without calling it/);
});
