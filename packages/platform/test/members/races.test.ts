import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallContext, Database } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { testContext } from '@probity/core/testing';
import { roundsOf } from '@probity/test-support/combinations';
import type { Invitations } from '../../src/members/invitations.ts';
import { createInvitations } from '../../src/members/invitations.ts';
import { invitationPurpose } from '../../src/members/issue.ts';
import type { Members } from '../../src/members/members.ts';
import { createMembers } from '../../src/members/members.ts';
import type { MemberProvisioning } from '../../src/members/provisioning.ts';
import { createMemberProvisioning } from '../../src/members/provisioning.ts';
import { createSqlPlatformStorage } from '../../src/sql.ts';
import type { PlatformStorage } from '../../src/storage.ts';
import { createTestOrganization } from '../../src/testing/fixtures.ts';
import { newMember } from '../../src/testing/records.ts';
import type { PlatformTarget, PlatformTestDatabase } from '../../src/testing/targets.ts';
import { targets, testPasswords, testRuntime, testSecretBox } from '../support.ts';

/** Rounds of each race; RACE_ROUNDS=1000 for the long run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? roundsOf(20));

/** The services of one process, on a separate connection where the database allows. */
interface Instance {
  readonly storage: PlatformStorage;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly provisioning: MemberProvisioning;
}

function instancesOf({
  database,
  storage,
  openAnother,
}: PlatformTestDatabase): [Instance, Instance] {
  const another = openAnother();
  const first = instanceOf(database, storage);
  return [first, another ? instanceOf(another, createSqlPlatformStorage(another)) : first];
}

function instanceOf(database: Database, storage: PlatformStorage): Instance {
  const runtime = testRuntime({ database });
  const options = { storage, secretBox: testSecretBox(), passwords: testPasswords() };
  return {
    storage,
    members: createMembers(runtime, options),
    invitations: createInvitations(runtime, options),
    provisioning: createMemberProvisioning(runtime, options),
  };
}

async function withInstances(
  target: PlatformTarget,
  work: (opened: PlatformTestDatabase, instances: [Instance, Instance]) => Promise<void>,
): Promise<void> {
  const opened = await target.open();
  try {
    await work(opened, instancesOf(opened));
  } finally {
    await opened.dispose();
  }
}

/** Two contexts of owners of a new organization that has no other members. */
async function twoOwners(
  opened: PlatformTestDatabase,
  { storage }: Instance,
): Promise<[CallContext, CallContext]> {
  const organization = await createTestOrganization(opened);
  const second = newMember(organization.organizationId, { role: 'owner' });
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(second));
  return [testContext(organization), testContext({ ...organization, memberId: second.id })];
}

/** The winner, and the errors of the others; rethrows anything but an error of the rules. */
async function outcomes(attempts: ReadonlyArray<Promise<unknown>>) {
  const settled = await Promise.allSettled(attempts);
  const refusals: string[] = [];
  for (const result of settled) {
    if (result.status === 'fulfilled') continue;
    const isRefusal = result.reason instanceof ProbityError && result.reason.status < 500;
    if (!isRefusal) throw result.reason;
    refusals.push((result.reason as ProbityError).kind);
  }
  return { succeeded: settled.length - refusals.length, refusals };
}

for (const target of targets) {
  describe(`${target.name}: races over two connections`, () => {
    const races: ReadonlyArray<
      readonly [
        string,
        (one: Instance, other: Instance, a: CallContext, b: CallContext) => Promise<unknown>[],
      ]
    > = [
      [
        'demote each other',
        (one, other, a, b) => [
          one.members.changeRole(a, b.principal.memberId, 'admin'),
          other.members.changeRole(b, a.principal.memberId, 'viewer'),
        ],
      ],
      [
        'leave',
        (one, other, a, b) => [
          one.members.remove(a, a.principal.memberId),
          other.members.remove(b, b.principal.memberId),
        ],
      ],
      [
        'demote, suspend and remove each other and themselves',
        (one, other, a, b) => [
          one.members.changeRole(a, a.principal.memberId, 'member'),
          other.members.remove(b, b.principal.memberId),
          one.members.suspend(b, a.principal.memberId),
          other.members.remove(a, b.principal.memberId),
          one.members.changeRole(b, a.principal.memberId, 'editor'),
        ],
      ],
    ];
    for (const [name, attempts] of races) {
      test(`two owners who ${name} at once leave an active owner, ${ROUNDS} times`, () =>
        withInstances(target, async (opened, [one, other]) => {
          for (let round = 0; round < ROUNDS; round += 1) {
            const [a, b] = await twoOwners(opened, one);
            const { succeeded } = await outcomes(attempts(one, other, a, b));
            const { organizationId } = a.principal;
            const owners = await one.storage.countOtherActiveOwners(organizationId, '');
            assert.equal(owners, 1, `round ${round}`);
            assert.ok(succeeded >= 1);
          }
        }));
    }

    test(`an owner suspended by an administrator while SCIM removes the other keeps its role, ${ROUNDS} times`, () =>
      withInstances(target, async (opened, [one, other]) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const [a, b] = await twoOwners(opened, one);
          const { organizationId, memberId } = a.principal;
          const context = testContext({ organizationId, memberId: 'sct_1' }, 'admin');
          await outcomes([
            one.members.suspend(a, b.principal.memberId),
            other.provisioning.remove({ context }, memberId),
            one.provisioning.remove({ context }, b.principal.memberId),
          ]);
          const owners = await one.storage.countOtherActiveOwners(organizationId, '');
          assert.equal(owners, 1, `round ${round}`);
        }
      }));

    test(`concurrent suspensions and reactivations by both parties keep the state of each party, ${ROUNDS} times`, () =>
      withInstances(target, async (opened, [one, other]) => {
        const owner = testContext(await createTestOrganization(opened));
        const { organizationId } = owner.principal;
        const call = { context: testContext({ organizationId, memberId: 'sct_1' }, 'admin') };
        for (let round = 0; round < ROUNDS; round += 1) {
          const { id } = await one.provisioning.add(call, {
            email: `ann${round}@example.com`,
            name: null,
            role: 'viewer',
          });
          await one.members.suspend(owner, id);
          await outcomes([
            other.provisioning.suspend(call, id),
            one.members.reactivate(owner, id),
            other.members.suspend(owner, id),
          ]);
          const member = await one.storage.findMember(organizationId, id);
          assert.equal(member?.status, 'suspended', `round ${round}`);
          assert.ok(member.suspendedAt.scim);
          const after = await other.provisioning.reactivate(call, id);
          assert.equal(after.status, after.suspendedAt.admin ? 'suspended' : 'active');
        }
      }));

    test(`an invitation accepted four times at once is accepted once, ${ROUNDS} times`, () =>
      withInstances(target, async (opened, [one, other]) => {
        const owner = testContext(await createTestOrganization(opened));
        const call = { requestId: 'req_test_request', address: null };
        for (let round = 0; round < ROUNDS; round += 1) {
          const { invitation, member } = await one.members.invite(owner, {
            email: `ann${round}@example.com`,
            name: null,
            role: 'viewer',
          });
          const { id, sealedToken } = invitation;
          const token = testSecretBox().open(sealedToken ?? '', invitationPurpose(id));
          const answers = [one, other, one, other].map(({ invitations }) =>
            invitations.accept(call, { token }),
          );
          const { succeeded, refusals } = await outcomes(answers);
          assert.equal(succeeded, 1, `round ${round}`);
          assert.deepEqual(refusals, ['conflict', 'conflict', 'conflict']);
          const { organizationId } = owner.principal;
          const accepted = await one.storage.findMember(organizationId, member.id);
          assert.equal(accepted?.status, 'active');
        }
      }));

    test(`accepting, revoking and removing an invitation at once end consistently, ${ROUNDS} times`, () =>
      withInstances(target, async (opened, [one, other]) => {
        const owner = testContext(await createTestOrganization(opened));
        const { organizationId } = owner.principal;
        const call = { requestId: 'req_test_request', address: null };
        for (let round = 0; round < ROUNDS; round += 1) {
          const { invitation, member } = await one.members.invite(owner, {
            email: `ann${round}@example.com`,
            name: null,
            role: 'viewer',
          });
          const { id, sealedToken } = invitation;
          const token = testSecretBox().open(sealedToken ?? '', invitationPurpose(id));
          const [accept, revoke] = [
            one.invitations.accept(call, { token }),
            other.invitations.revoke(owner, id),
          ];
          await outcomes([accept, revoke]);
          const ended = await one.storage.findInvitation(organizationId, id);
          const left = await one.storage.findMember(organizationId, member.id);
          assert.equal(left?.status, ended?.acceptedAt ? 'active' : undefined, `round ${round}`);
          assert.notEqual(ended?.acceptedAt === null, ended?.revokedAt === null);
        }
      }));

    test(`one e-mail added six times at once becomes one member, ${ROUNDS} times`, () =>
      withInstances(target, async (opened, instances) => {
        const owner = testContext(await createTestOrganization(opened));
        for (let round = 0; round < ROUNDS; round += 1) {
          const attempts = Array.from({ length: 6 }, (_, index) =>
            instances[index % 2 ? 1 : 0].members.invite(owner, {
              email: index < 3 ? `Ann${round}@example.com` : `ann${round}@EXAMPLE.com`,
              name: null,
              role: 'viewer',
            }),
          );
          const { succeeded, refusals } = await outcomes(attempts);
          assert.equal(succeeded, 1, `round ${round}`);
          assert.deepEqual(new Set(refusals), new Set(['already_exists']));
        }
        const page = { limit: 1, offset: 0 };
        const { organizationId } = owner.principal;
        const { storage } = instances[0];
        assert.equal((await storage.listMembers(organizationId, page)).total, ROUNDS + 1);
        assert.equal((await storage.listInvitations(organizationId, page)).total, ROUNDS);
      }));
  });
}
