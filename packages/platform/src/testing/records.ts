import { randomBytes } from 'node:crypto';
import { createIds } from '@probity/core';
import { START } from '@probity/core/testing';
import type { ApiKey, ScimToken, StoredToken } from '../credentials/types.ts';
import type { Member } from '../members/types.ts';
import { NOT_SUSPENDED } from '../members/types.ts';
import type { Organization } from '../organizations/types.ts';

const ids = createIds();

/** An organization with a unique slug. */
export function newOrganization(given: Partial<Organization> = {}): Organization {
  const id = ids.next('org');
  return {
    id,
    name: 'Ærø Foundation',
    slug: `test-${randomBytes(6).toString('hex')}`,
    description: null,
    website: null,
    timezone: 'UTC',
    settings: { ssoEnabled: false, ssoProvider: null, ipAllowlist: [], dataResidency: null },
    plan: 'starter',
    createdAt: START,
    ...given,
  };
}

/** An active member with a unique e-mail. */
export function newMember(organizationId: string, given: Partial<Member> = {}): Member {
  const id = ids.next('mem');
  return {
    id,
    organizationId,
    email: `${id}@example.com`,
    name: null,
    role: 'admin',
    status: 'active',
    suspendedAt: NOT_SUSPENDED,
    mfaEnabled: false,
    createdAt: START,
    lastLogin: null,
    ...given,
  };
}

/** What every token of an organization has: a unique hash, and times. */
function newToken(organizationId: string): Omit<StoredToken, 'id' | 'prefix'> {
  return {
    organizationId,
    tokenHash: randomBytes(32).toString('hex'),
    createdAt: START,
    lastUsed: null,
    expiresAt: null,
    revokedAt: null,
  };
}

/** An API key of the member with a unique hash. */
export function newApiKey(member: Member, given: Partial<ApiKey> = {}): ApiKey {
  return {
    ...newToken(member.organizationId),
    id: ids.next('key'),
    memberId: member.id,
    name: 'Key',
    role: 'editor',
    prefix: 'pbk_abcdefgh',
    ...given,
  };
}

/** A SCIM token with a unique hash. */
export function newScimToken(organizationId: string, given: Partial<ScimToken> = {}): ScimToken {
  return {
    ...newToken(organizationId),
    id: ids.next('sct'),
    prefix: 'psc_abcdefgh',
    ...given,
  };
}
