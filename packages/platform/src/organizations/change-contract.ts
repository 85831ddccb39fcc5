import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { removeTenant } from '@probity/core/internal';
import { finishRemovals, newAuditEntry, newEvent } from '@probity/core/testing';
import type { ApiKey, ScimToken } from '../credentials/types.ts';
import type { Member } from '../members/types.ts';
import type { SignInSession } from '../sign-in/types.ts';
import { newApiKey, newMember, newOrganization, newScimToken } from '../testing/records.ts';
import { keyOfMember, newSession } from '../testing/sign-in-records.ts';
import type { PlatformContractDatabase, PlatformPromises } from '../testing/targets.ts';
import type { Organization } from './types.ts';

/** Contract checks of updates and deletions of organizations, by test title. */
export const organizationChangePromises: PlatformPromises = {
  'an organization update changes the named fields of that organization only': async ({
    storage,
  }) => {
    const [own, other] = [newOrganization({ website: 'https://a.example' }), newOrganization()];
    await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      await tx.insertOrganization(own);
      await tx.insertOrganization(other);
      await tx.updateOrganization(own.id, { name: 'Ny', ipAllowlist: ['192.0.2.0/24'] });
      await tx.updateOrganization(own.id, { timezone: 'Europe/Oslo' });
      await tx.updateOrganization(own.id, {});
      await tx.updateOrganization('org_none', { name: 'None' });
    });
    assert.deepEqual(await storage.findOrganization(own.id), {
      ...own,
      name: 'Ny',
      timezone: 'Europe/Oslo',
      settings: { ...own.settings, ipAllowlist: ['192.0.2.0/24'] },
      membersCount: 0,
    });
    assert.deepEqual(await storage.findOrganization(other.id), { ...other, membersCount: 0 });
  },

  'an IP allowlist is read with the API key as soon as its transaction commits': async (opened) => {
    const { storage } = opened;
    const { organization, key } = await fill(opened);
    const changes = { ipAllowlist: ['192.0.2.0/24', '2001:db8::/32'] };
    await storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.updateOrganization(organization.id, changes),
    );
    const identity = await storage.identifyApiKey(key.tokenHash);
    assert.equal(identity?.ipAllowlist, '["192.0.2.0/24","2001:db8::/32"]');
  },

  'deleting an organization deletes all of its rows and no others': async (opened) => {
    const [gone, kept] = [await fill(opened), await fill(opened)];
    await opened.storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.deleteTenant(gone.organization.id),
    );
    assert.deepEqual(await remains(opened, gone), [null, null, null, [], null, 0, null]);
    const rest = await remains(opened, kept);
    assert.ok(rest.every(Boolean), JSON.stringify(rest));
    const lock = opened.storage.withTenantLock(
      OUTSIDE_REQUEST,
      gone.organization.id,
      async () => null,
    );
    await assert.rejects(lock, { kind: 'not_found' });
  },

  'an organization does not exist from its removal on, nor do its credentials, before its rows are deleted':
    async (opened) => {
      const [gone, kept] = [await fill(opened), await fill(opened)];
      const { storage } = opened;
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        assert.equal(await removeTenant(tx, gone.organization.id, new Date()), true);
        await tx.retireOrganization(gone.organization.id);
      });
      assert.deepEqual(await finds(opened, gone), Array(9).fill(false));
      assert.deepEqual(await finds(opened, kept), Array(9).fill(true));
      assert.deepEqual(await storage.listOrganizationIds(), [kept.organization.id]);
      assert.equal(await storage.countOrganizations(), 1);
      const lock = storage.withTenantLock(OUTSIDE_REQUEST, gone.organization.id, async () => null);
      await assert.rejects(lock, { kind: 'not_found' });
      await finishRemovals(opened.database);
      assert.deepEqual(await remains(opened, gone), [null, null, null, [], null, 0, null]);
      assert.ok((await remains(opened, kept)).every(Boolean));
    },

  'a rolled back deletion of an organization keeps every row': async (opened) => {
    const filled = await fill(opened);
    const failing = opened.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      await tx.deleteTenant(filled.organization.id);
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.ok((await remains(opened, filled)).every(Boolean));
  },
};

interface Filled {
  readonly organization: Organization;
  readonly member: Member;
  readonly key: ApiKey;
  readonly token: ScimToken;
  readonly signedIn: SignInSession;
  readonly eventId: string;
}

/** Creates an organization with a row of every kind. */
async function fill({ storage }: PlatformContractDatabase): Promise<Filled> {
  const organization = newOrganization();
  const member = newMember(organization.id);
  const key = newApiKey(member);
  const token = newScimToken(organization.id);
  const signedIn = newSession(member);
  const event = newEvent(organization.id);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertOrganization(organization);
    await tx.insertMember(member);
    await tx.insertApiKey(key);
    await tx.insertScimToken(token);
    await tx.insertSession(signedIn);
    await tx.outbox.append(event);
    await tx.recordAudit(newAuditEntry(organization.id));
  });
  return { organization, member, key, token, signedIn, eventId: event.id };
}

/** Whether each read that authenticates a caller, or names no organization, finds the organization. */
async function finds(
  { storage }: PlatformContractDatabase,
  { organization: { id, slug }, member, key, token, signedIn }: Filled,
): Promise<readonly boolean[]> {
  const found = await Promise.all([
    storage.findOrganization(id),
    storage.identifyApiKey(key.tokenHash),
    storage.identifyApiKeyById(key.id),
    storage.identifyScimToken(token.tokenHash),
    storage.identifyScimTokenById(token.id),
    storage.identifySession(signedIn.id),
    storage.findAccount(keyOfMember(member)),
    storage.findAccountsByEmail(member.email).then((accounts) => accounts[0]),
    storage.isSlugTaken(slug),
  ]);
  return found.map(Boolean);
}

/** Reads every kind of row of the organization: falsy, empty or 0 when there are none. */
async function remains(
  { storage, database }: PlatformContractDatabase,
  { organization: { id }, key, eventId }: Filled,
): Promise<readonly unknown[]> {
  const kernel = database.kernel(database.reader);
  const page = { limit: 10, offset: 0 };
  return [
    await storage.findOrganization(id),
    await storage.findMember(id, key.memberId),
    await storage.identifyApiKey(key.tokenHash),
    await storage.listScimTokens(id),
    await kernel.findEvent(eventId),
    (await kernel.listAuditEntries(id, {}, page)).total,
    await kernel.findAuditHead(id),
  ];
}
