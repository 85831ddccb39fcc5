import type { AuditLog, Clock, Database, Ids, Logger, Random, SecretBox } from '@probity/core';
import { createAuditLog, createIds, silentLogger, systemClock, systemRandom } from '@probity/core';
import type { Billing, BillingOptions } from './billing/billing.ts';
import { createBilling } from './billing/billing.ts';
import type { ApiKeys } from './credentials/api-keys.ts';
import { createApiKeys } from './credentials/api-keys.ts';
import type { ScimAdministration } from './credentials/scim-administration.ts';
import { createScimAdministration } from './credentials/scim-administration.ts';
import type { Invitations } from './members/invitations.ts';
import { createInvitations } from './members/invitations.ts';
import type { Members } from './members/members.ts';
import { createMembers } from './members/members.ts';
import type { MemberStorage } from './members/storage.ts';
import type { Organizations } from './organizations/organizations.ts';
import { createOrganizations } from './organizations/organizations.ts';
import type { PlatformStorage } from './organizations/storage.ts';
import type { Passwords } from './sign-in/passwords.ts';
import { createPasswords } from './sign-in/passwords.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import type { SignInStorage } from './sign-in/storage.ts';

/** The services of the platform interface. */
export interface Platform extends Billing {
  readonly organizations: Organizations;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly apiKeys: ApiKeys;
  readonly scim: ScimAdministration;
  readonly auditLog: AuditLog;
  readonly signIn: SignIn;
}

/** What the platform needs. */
export interface PlatformDependencies extends BillingOptions {
  readonly storage: PlatformStorage;
  /** The database that `storage` is bound to. */
  readonly database: Database;
  /** Base of the absolute addresses that are handed out, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly memberStorage: MemberStorage;
  readonly signInStorage: SignInStorage;
  /** Seals tokens until they are mailed, and signs access tokens and links to invoices. */
  readonly secretBox: SecretBox;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly random?: Random;
  /** Default {@link createPasswords}. */
  readonly passwords?: Passwords;
  /** Told of deleted organizations; default none. */
  readonly logger?: Logger;
}

/** Creates the services of the platform interface. */
export function createPlatform({
  storage,
  database,
  baseUrl,
  memberStorage,
  signInStorage,
  secretBox,
  clock = systemClock,
  random = systemRandom,
  passwords = createPasswords({ random }),
  ids = createIds(clock, random),
  logger = silentLogger,
  ...billing
}: PlatformDependencies): Platform {
  const tools = { secretBox, ids, clock, random };
  const forMembers = { ...tools, storage: memberStorage };
  return {
    organizations: createOrganizations({ storage, ids, clock, logger }),
    members: createMembers(forMembers),
    invitations: createInvitations({ ...forMembers, signInStorage, passwords }),
    apiKeys: createApiKeys({ storage, ids, clock, random }),
    scim: createScimAdministration({ storage, ids, clock, random, baseUrl }),
    ...createBilling({ ...billing, platform: storage, secretBox, ids, clock, baseUrl }),
    auditLog: createAuditLog(database),
    signIn: createSignIn({ ...tools, storage: signInStorage, passwords }),
  };
}
