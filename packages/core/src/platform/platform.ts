import type { AuditLog } from '../audit/audit-log.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import type { Billing, BillingOptions } from '../billing/billing.ts';
import { createBilling } from '../billing/billing.ts';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { silentLogger } from '../logger.ts';
import type { Invitations } from '../members/invitations.ts';
import { createInvitations } from '../members/invitations.ts';
import type { Members } from '../members/members.ts';
import { createMembers } from '../members/members.ts';
import type { MemberStorage } from '../members/storage.ts';
import type { Random } from '../random.ts';
import { systemRandom } from '../random.ts';
import type { SecretBox } from '../secrets.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import { createPasswords } from '../sign-in/passwords.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { createSignIn } from '../sign-in/sign-in.ts';
import type { SignInStorage } from '../sign-in/storage.ts';
import type { Database } from '../storage.ts';
import type { ApiKeys } from './api-keys.ts';
import { createApiKeys } from './api-keys.ts';
import type { Organizations } from './organizations.ts';
import { createOrganizations } from './organizations.ts';
import type { ScimAdministration } from './scim-administration.ts';
import { createScimAdministration } from './scim-administration.ts';
import type { PlatformStorage } from './storage.ts';

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
