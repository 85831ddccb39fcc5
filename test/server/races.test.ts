import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { IssuedApiKey } from '@probity/platform';
import { roundsOf } from '@probity/test-support/combinations';
import type { PairOrganization, ServerPair } from './server-pair.ts';
import { startServerPair } from './server-pair.ts';
import type { Answer } from './support.ts';
import { call, emptyDatabases } from './support.ts';

/** Rounds of each race; RACE_ROUNDS=1000 for the long run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? roundsOf(20));
/** Concurrent rounds. */
const LANES = 4;
const PARALLEL_USES = 3;

/** Runs the rounds, several concurrently. */
async function rounds(round: (index: number) => Promise<void>): Promise<void> {
  let begun = 0;
  const lane = async () => {
    while (begun < ROUNDS) {
      begun += 1;
      await round(begun);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** A way to revoke the rights of a key, and the status of each later use of it. */
interface Way {
  readonly name: string;
  readonly method: string;
  path(issued: IssuedApiKey): string;
  readonly body?: unknown;
  readonly status: number;
  readonly refusal: number;
}

const WAYS: readonly Way[] = [
  {
    name: 'a revoked key',
    method: 'DELETE',
    path: ({ key }) => `/api-keys/${key.id}`,
    status: 204,
    refusal: 401,
  },
  {
    name: "a suspended member's key",
    method: 'POST',
    path: ({ key }) => `/members/${key.memberId}/suspend`,
    status: 200,
    refusal: 401,
  },
  {
    name: "a removed member's key",
    method: 'DELETE',
    path: ({ key }) => `/members/${key.memberId}`,
    status: 204,
    refusal: 401,
  },
  {
    name: "a demoted member's key for calls beyond its role",
    method: 'PATCH',
    path: ({ key }) => `/members/${key.memberId}`,
    body: { role: 'viewer' },
    status: 200,
    refusal: 403,
  },
];

/** Uses a key on one server, ends it on the other, and checks that every further use fails. */
async function endAndUse(
  pair: ServerPair,
  organization: PairOrganization,
  way: Way,
  [one, other]: readonly [string, string],
): Promise<void> {
  const issued = await pair.join(organization, 'admin');
  const use = (on: string) => call(`${on}/api-keys?limit=1`, issued.token);
  assert.equal((await use(other)).status, 200);
  // A concurrent use may succeed or fail.
  const [ended] = await Promise.all([
    call(one + way.path(issued), organization.key, way.method, way.body),
    use(other),
  ]);
  assert.equal(ended.status, way.status, JSON.stringify(ended.body));
  const uses = Array.from({ length: PARALLEL_USES }, () => use(other));
  for (const { status } of await Promise.all([...uses, use(one)])) {
    assert.equal(status, way.refusal);
  }
}

/** Two owners of an organization demote, remove and suspend each other and leave. */
function ownersLeave(
  { urls: [one, other], ownerId: a, key: keyOfA }: PairOrganization,
  { key: { memberId: b }, token: keyOfB }: IssuedApiKey,
): Array<Promise<Answer>> {
  return [
    call(`${one}/members/${b}`, keyOfA, 'PATCH', { role: 'admin' }),
    call(`${other}/members/${a}`, keyOfB, 'PATCH', { role: 'viewer' }),
    call(`${one}/members/${a}`, keyOfA, 'DELETE'),
    call(`${other}/members/${b}`, keyOfB, 'DELETE'),
    call(`${other}/members/${b}`, keyOfA, 'DELETE'),
    call(`${one}/members/${a}/suspend`, keyOfB, 'POST'),
  ];
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

for (const database of emptyDatabases) {
  describe(`${database.name}: over two servers, ${ROUNDS} times`, () => {
    const ends: Array<() => void | Promise<void>> = [];
    let pair: ServerPair;
    before(async () => {
      pair = await startServerPair({ after: (end) => void ends.push(end) }, database);
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    for (const way of WAYS) {
      it(`${way.name} is never accepted after the other server has ended it`, async () => {
        const organization = await pair.createOrganization();
        const [one, other] = organization.urls;
        await rounds((index) =>
          endAndUse(pair, organization, way, index % 2 ? [one, other] : [other, one]),
        );
      });
    }

    it('one active owner remains when owners concurrently demote, remove and suspend each other and leave', () =>
      rounds(async (index) => {
        const organization = await pair.createOrganization();
        const owner = await pair.join(organization, 'owner');
        const answers = await Promise.all(ownersLeave(organization, owner));
        const unexpected = answers.filter(
          ({ status }) => ![200, 204, 401, 403, 404, 409].includes(status),
        );
        assert.deepEqual(unexpected, []);
        const owners = await pair.members.countOtherActiveOwners(organization.id, '');
        assert.equal(owners, 1, `round ${index}: ${statusesOf(answers)}`);
      }));

    it('concurrent invitations of one e-mail address in different letter cases create one member', async () => {
      const { urls, key } = await pair.createOrganization();
      await rounds(async (index) => {
        const emails = [`Ann${index}@acme.example`, `ann${index}@ACME.example`];
        const attempts = [...emails, ...emails].flatMap((email) =>
          urls.map((url) => call(`${url}/members`, key, 'POST', { email, role: 'viewer' })),
        );
        const statuses = statusesOf(await Promise.all(attempts));
        assert.deepEqual(statuses, [201, ...Array(attempts.length - 1).fill(409)]);
      });
      const { body } = await call(`${urls[0]}/members`, key);
      assert.equal(body.total, ROUNDS + 1);
    });

    it('concurrent acceptances of an invitation succeed once', async () => {
      const { urls, key } = await pair.createOrganization();
      await rounds(async (index) => {
        const email = `bob${index}@acme.example`;
        await call(`${urls[index % 2]}/members`, key, 'POST', {
          email,
          role: 'viewer',
        });
        const [, token] = /token=(\w+)/.exec(await pair.inbox.textTo(email)) ?? [];
        const attempts = [...pair.urls, ...pair.urls].map((url) =>
          call(`${url}/v1/invitations/accept`, null, 'POST', { token }),
        );
        assert.deepEqual(statusesOf(await Promise.all(attempts)), [200, 409, 409, 409]);
      });
      const { body } = await call(`${urls[0]}/audit-log?action=invitation.accepted`, key);
      assert.equal(body.total, ROUNDS);
    });
  });
}
