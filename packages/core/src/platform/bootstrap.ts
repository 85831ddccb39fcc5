import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Random } from '../random.ts';
import { hashSecret } from '../secrets.ts';
import { mintToken, VISIBLE_TOKEN_LENGTH } from '../tokens.ts';
import { issueApiKey } from './api-keys.ts';
import type { Plan } from './plans.ts';
import { availableSlug } from './slugs.ts';
import type { PlatformReads, PlatformStorage, PlatformWrites } from './storage.ts';
import type { Member, Organization } from './types.ts';

/** What a new organization is to be. */
export interface BootstrapInput {
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly plan: Plan;
}

/** A new organization with its secrets, which are known only at this moment. */
export interface BootstrapResult {
  readonly organizationId: string;
  readonly ownerId: string;
  /** An API key with the owner role. */
  readonly apiKey: string;
  readonly scimToken: string;
}

/** What bootstrapping needs. */
export interface BootstrapDependencies {
  readonly storage: PlatformStorage;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
}

/** Creates an organization with an active owner, an owner API key and a SCIM token, or nothing. */
export function bootstrapOrganization(
  dependencies: BootstrapDependencies,
  input: BootstrapInput,
): Promise<BootstrapResult> {
  return dependencies.storage.transaction((tx) => create(tx, dependencies, input));
}

/**
 * Bootstraps the first organization of an empty database. Null when there is one already; of
 * several processes that start together on one SQLite file exactly one creates it.
 */
export function bootstrapFirstOrganization(
  dependencies: BootstrapDependencies,
  input: BootstrapInput,
): Promise<BootstrapResult | null> {
  return dependencies.storage.transaction(async (tx) =>
    (await tx.countOrganizations()) === 0 ? create(tx, dependencies, input) : null,
  );
}

async function create(
  tx: PlatformReads & PlatformWrites,
  { ids, clock, random }: BootstrapDependencies,
  { organizationName, ownerEmail, plan }: BootstrapInput,
): Promise<BootstrapResult> {
  const createdAt = clock.now();
  const organization: Organization = {
    id: ids.next('org'),
    name: organizationName,
    slug: await availableSlug(tx, organizationName, random),
    description: null,
    website: null,
    timezone: 'UTC',
    settings: { ssoEnabled: false, ssoProvider: null, ipAllowlist: [], dataResidency: null },
    plan,
    createdAt,
  };
  const owner: Member = {
    id: ids.next('mem'),
    organizationId: organization.id,
    email: ownerEmail,
    name: null,
    role: 'owner',
    status: 'active',
    mfaEnabled: false,
    createdAt,
    lastLogin: null,
  };
  const issued = issueApiKey(random, {
    id: ids.next('key'),
    organizationId: organization.id,
    memberId: owner.id,
    name: 'Bootstrap',
    role: 'owner',
    createdAt,
    expiresAt: null,
  });
  const scimToken = mintToken('psc_', random);
  await tx.insertOrganization(organization);
  await tx.insertMember(owner);
  await tx.insertApiKey(issued.key);
  await tx.insertScimToken({
    id: ids.next('sct'),
    organizationId: organization.id,
    prefix: scimToken.slice(0, VISIBLE_TOKEN_LENGTH),
    tokenHash: hashSecret(scimToken),
    createdAt,
    expiresAt: null,
    revokedAt: null,
  });
  return {
    organizationId: organization.id,
    ownerId: owner.id,
    apiKey: issued.token,
    scimToken,
  };
}
