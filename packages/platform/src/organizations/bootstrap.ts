import type { Plan, Runtime, Storage, TransactionOf } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { hashSecret, mintToken } from '@probity/core/internal';
import type { Settlement } from '../billing/invoicing.ts';
import { insertFirstSubscription } from '../billing/opening.ts';
import type { InvoiceWrites, SubscriptionWrites } from '../billing/storage.ts';
import { issueApiKey } from '../credentials/api-keys.ts';
import { issueScimToken } from '../credentials/scim-administration.ts';
import type { ApiKeyWrites, ScimTokenWrites } from '../credentials/storage.ts';
import type { MemberWrites } from '../members/storage.ts';
import type { Member } from '../members/types.ts';
import { INVITATION_LIFETIME_MS, NOT_SUSPENDED } from '../members/types.ts';
import type { PasswordResetWrites } from '../sign-in/storage.ts';
import { availableSlug } from './slugs.ts';
import type { OrganizationReads, OrganizationWrites } from './storage.ts';
import type { Organization } from './types.ts';

/** Input for a new organization. */
export interface BootstrapInput {
  readonly organizationName: string;
  readonly ownerEmail: string;
  /** The plan to bill; absent for `enterprise` without billing. */
  readonly plan?: Plan | undefined;
  /** Shown in the detail view of the organization, as the next two; absent means none. */
  readonly description?: string | undefined;
  /** An http or https URL. */
  readonly website?: string | undefined;
  /** Where data is agreed to stay, such as `eu`; recorded, not enforced. */
  readonly dataResidency?: string | undefined;
}

/** A new organization with its secrets, which are returned only here. */
export interface BootstrapResult {
  readonly organizationId: string;
  readonly ownerId: string;
  /** An API key with the owner role. */
  readonly apiKey: string;
  readonly scimToken: string;
  /** Sets the owner's first password, once, within a week: a token of a password reset. */
  readonly setupToken: string;
}

type BootstrapStorage = Storage<
  OrganizationReads,
  OrganizationWrites &
    MemberWrites &
    ApiKeyWrites &
    ScimTokenWrites &
    SubscriptionWrites &
    InvoiceWrites &
    PasswordResetWrites
>;

/** Dependencies of bootstrapping besides the runtime. */
export interface BootstrapOptions {
  readonly storage: BootstrapStorage;
  /** How the first invoice becomes paid; default `on_issue`. */
  readonly settlement?: Settlement | undefined;
}

/** Lifetime of the owner's set-up token: as long as that of an invitation. */
const SETUP_LIFETIME_MS = INVITATION_LIFETIME_MS;

/** Creates an organization with an active owner, an owner API key and a SCIM token, atomically. */
export async function bootstrapOrganization(
  runtime: Runtime,
  options: BootstrapOptions,
  input: BootstrapInput,
): Promise<BootstrapResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await options.storage.transaction(OUTSIDE_REQUEST, (tx) =>
        create(tx, runtime, options, input),
      );
    } catch (error) {
      // Another organization took the slug concurrently; the retry sees it as taken.
      const isTaken = error instanceof ProbityError && error.kind === 'already_exists';
      if (!isTaken || attempt === MAX_SLUG_ATTEMPTS) throw error;
    }
  }
}

const MAX_SLUG_ATTEMPTS = 5;

/**
 * Bootstraps the first organization of an empty database. Null when the database has one already;
 * of several processes that start together on one SQLite file exactly one creates it.
 */
export function bootstrapFirstOrganization(
  runtime: Runtime,
  options: BootstrapOptions,
  input: BootstrapInput,
): Promise<BootstrapResult | null> {
  return options.storage.transaction(OUTSIDE_REQUEST, async (tx) =>
    (await tx.countOrganizations()) === 0 ? create(tx, runtime, options, input) : null,
  );
}

async function create(
  tx: TransactionOf<BootstrapStorage>,
  { ids, clock, random, audit }: Runtime,
  { settlement }: BootstrapOptions,
  input: BootstrapInput,
): Promise<BootstrapResult> {
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
  const isBilled = input.plan !== undefined;
  const billing = { billingEmail: input.ownerEmail, isBilled, ids, settlement };
  await insertFirstSubscription(tx, organization, billing);
  await tx.insertMember(owner);
  await tx.insertApiKey(key.key);
  await tx.insertScimToken(scim.record);
  const { id: organizationId, name } = organization;
  const setupToken = mintToken('prs_', random);
  await tx.putPasswordReset({
    organizationId,
    memberId: owner.id,
    tokenHash: hashSecret(setupToken),
    // Printed now and never mailed.
    sealedToken: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + SETUP_LIFETIME_MS),
  });
  const by = { organizationId, system: 'bootstrap' };
  await audit.record(
    tx,
    by,
    'organization.created',
    { type: 'organization', id: organizationId },
    {
      after: { name, slug, plan: organization.plan, owner_email: input.ownerEmail },
    },
  );
  return {
    organizationId,
    ownerId: owner.id,
    apiKey: key.token,
    scimToken: scim.token,
    setupToken,
  };
}

function newOrganization(
  id: string,
  input: BootstrapInput,
  slug: string,
  createdAt: Date,
): Organization {
  const {
    organizationName,
    plan = 'enterprise',
    description = null,
    website = null,
    dataResidency = null,
  } = input;
  return {
    id,
    name: organizationName,
    slug,
    description,
    website,
    timezone: 'UTC',
    settings: { ssoEnabled: false, ssoProvider: null, ipAllowlist: [], dataResidency },
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
    suspendedAt: NOT_SUSPENDED,
    mfaEnabled: false,
    createdAt,
    lastLogin: null,
  };
}
