import { randomBytes } from 'node:crypto';
import { createIds } from '@probity/core';
import { START } from '@probity/core/testing';
import type { ApiKey, ScimToken } from '../credentials/types.ts';
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

/** An API key of the member with a unique hash. */
export function newApiKey(member: Member, given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: ids.next('key'),
    organizationId: member.organizationId,
    memberId: member.id,
    name: 'Key',
    role: 'editor',
    prefix: 'pbk_abcdefgh',
    tokenHash: randomBytes(32).toString('hex'),
    createdAt: START,
    lastUsed: null,
    expiresAt: null,
    revokedAt: null,
    ...given,
  };
}

/** A SCIM token with a unique hash. */
export function newScimToken(organizationId: string, given: Partial<ScimToken> = {}): ScimToken {
  return {
    id: ids.next('sct'),
    organizationId,
    prefix: 'psc_abcdefgh',
    tokenHash: randomBytes(32).toString('hex'),
    createdAt: START,
    lastUsed: null,
    expiresAt: null,
    revokedAt: null,
    ...given,
  };
}
