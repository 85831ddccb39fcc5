import type { Clock, Ids, Plan, Random } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { AuditWrites } from '@probity/core/internal';
import { systemAuditOf } from '@probity/core/internal';
import { insertFirstSubscription } from '../billing/opening.ts';
import { issueApiKey } from '../credentials/api-keys.ts';
import { issueScimToken } from '../credentials/scim-administration.ts';
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
export async function bootstrapOrganization(
  dependencies: BootstrapDependencies,
  input: BootstrapInput,
): Promise<BootstrapResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await dependencies.storage.transaction(OUTSIDE_REQUEST, (tx) =>
        create(tx, dependencies, input),
      );
    } catch (error) {
      // Another organization took the slug in between; now it is seen to be taken.
      const isTaken = error instanceof ProbityError && error.kind === 'already_exists';
      if (!isTaken || attempt === MAX_SLUG_ATTEMPTS) throw error;
    }
  }
}

const MAX_SLUG_ATTEMPTS = 5;

/**
 * Bootstraps the first organization of an empty database. Null when there is one already; of
 * several processes that start together on one SQLite file exactly one creates it.
 */
export function bootstrapFirstOrganization(
  dependencies: BootstrapDependencies,
  input: BootstrapInput,
): Promise<BootstrapResult | null> {
  return dependencies.storage.transaction(OUTSIDE_REQUEST, async (tx) =>
    (await tx.countOrganizations()) === 0 ? create(tx, dependencies, input) : null,
  );
}

async function create(
  tx: PlatformReads & PlatformWrites & AuditWrites,
  dependencies: BootstrapDependencies,
  input: BootstrapInput,
): Promise<BootstrapResult> {
  const { ids, clock, random } = dependencies;
  const createdAt = clock.now();
  const slug = await availableSlug(tx, input.organizationName, random);
  const organization = newOrganization(ids.next('org'), input, slug, createdAt);
  const owner = newOwner(ids.next('mem'), organization.id, input.ownerEmail, createdAt);
  const key = issueApiKey(random, {
    id: ids.next('key'),
    organizationId: organization.id,
    memberId: owner.id,
    name: 'Bootstrap',
    role: 'owner',
    createdAt,
    expiresAt: null,
  });
  const scim = issueScimToken(random, {
    id: ids.next('sct'),
    organizationId: organization.id,
    createdAt,
  });
  await tx.insertOrganization(organization);
  await insertFirstSubscription(tx, organization, { billingEmail: input.ownerEmail, ids });
  await tx.insertMember(owner);
  await tx.insertApiKey(key.key);
  await tx.insertScimToken(scim.record);
  const audited = systemAuditOf('bootstrap', organization.id, {
    id: ids.next('aud'),
    action: 'organization.created',
    target: { type: 'organization', id: organization.id },
    after: { name: organization.name, slug, plan: input.plan, owner_email: input.ownerEmail },
    createdAt,
  });
  await tx.recordAudit(audited);
  return {
    organizationId: organization.id,
    ownerId: owner.id,
    apiKey: key.token,
    scimToken: scim.token,
  };
}

function newOrganization(
  id: string,
  { organizationName, plan }: BootstrapInput,
  slug: string,
  createdAt: Date,
): Organization {
  return {
    id,
    name: organizationName,
    slug,
    description: null,
    website: null,
    timezone: 'UTC',
    settings: { ssoEnabled: false, ssoProvider: null, ipAllowlist: [], dataResidency: null },
    plan,
    createdAt,
  };
}

function newOwner(id: string, organizationId: string, email: string, createdAt: Date): Member {
  return {
    id,
    organizationId,
    email,
    name: null,
    role: 'owner',
    status: 'active',
    mfaEnabled: false,
    createdAt,
    lastLogin: null,
  };
}
