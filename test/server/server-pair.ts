import type { Role } from '@probity/core';
import { createRuntime, OUTSIDE_REQUEST } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import type { IssuedApiKey, PlatformStorage } from '@probity/platform';
import { bootstrapOrganization, createApiKeys } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import type { SmtpPeer, TestLifetime } from '@probity/test-support';
import { PATIENCE_MS, startSmtpPeer } from '@probity/test-support';
import { openDatabase } from './open-database.ts';
import type { EmptyDatabase } from './support.ts';
import { bootstrap, serve } from './support.ts';

/** An organization, and its first owner's key. */
export interface PairOrganization {
  readonly id: string;
  readonly ownerId: string;
  readonly key: string;
  /** The organization's URL on each server. */
  readonly urls: readonly [string, string];
}

/** Two server processes on one database, which the test can also access. */
export interface ServerPair {
  readonly urls: readonly [string, string];
  readonly inbox: SmtpPeer;
  readonly members: PlatformStorage;
  createOrganization(): Promise<PairOrganization>;
  /** Creates an active member with a key of the same role. */
  join(organization: PairOrganization, role: Role): Promise<IssuedApiKey>;
}

/** Starts two servers on a new database, until the test ends. */
export async function startServerPair(
  test: TestLifetime,
  database: EmptyDatabase,
): Promise<ServerPair> {
  const location = await database.create(test);
  await bootstrap(location);
  const inbox = await startSmtpPeer(test);
  const env = { PROBITY_SMTP_URL: inbox.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
  const [one, other] = await Promise.all([
    serve(test, location, { env }),
    serve(test, location, { env }),
  ]);
  const opened = openDatabase(location, { poolSize: 2, connectTimeoutMs: PATIENCE_MS });
  test.after(() => opened.close());
  return { urls: [one.url, other.url], inbox, ...insider(opened, [one.url, other.url]) };
}

/** Operations of a test on the database itself. */
function insider(
  opened: SqlDatabase,
  [one, other]: readonly [string, string],
): Omit<ServerPair, 'urls' | 'inbox'> {
  const runtime = createRuntime({ database: opened });
  const { ids } = runtime;
  const storage = createSqlPlatformStorage(opened);
  const apiKeys = createApiKeys(runtime, { storage });
  return {
    members: storage,
    async createOrganization() {
      const created = await bootstrapOrganization(
        runtime,
        { storage },
        { organizationName: ids.next('org'), ownerEmail: 'owner@acme.example', plan: 'enterprise' },
      );
      const { organizationId: id, ownerId, apiKey: key } = created;
      const urlOn = (url: string) => `${url}/v1/organizations/${id}`;
      return { id, ownerId, key, urls: [urlOn(one), urlOn(other)] };
    },
    async join({ id: organizationId }, role) {
      const memberId = ids.next('mem');
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.insertMember({
          ...{ id: memberId, organizationId, email: `${memberId}@acme.example`, name: null, role },
          ...{ status: 'active', suspendedAt: { admin: null, scim: null }, mfaEnabled: false },
          ...{ createdAt: new Date(), lastLogin: null },
        }),
      );
      const principal = { organizationId, memberId, keyId: '', role, plan: 'enterprise' } as const;
      const call = { principal, requestId: ids.next('req'), address: null };
      const { signal } = new AbortController();
      return apiKeys.create({ ...call, signal }, { name: 'Key', role });
    },
  };
}
