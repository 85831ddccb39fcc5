import type {
  AuditFields,
  AuditTarget,
  CallContext,
  Page,
  PageOf,
  Random,
  Role,
  Runtime,
  Storage,
} from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import {
  DAY_MS,
  hashSecret,
  isAtLeast,
  mintToken,
  VISIBLE_TOKEN_LENGTH,
  weakerRole,
} from '@probity/core/internal';
import { requireRoleWithinOwn } from '../members/rules.ts';
import type { MemberReads } from '../members/storage.ts';
import type { Member } from '../members/types.ts';
import type { ApiKeyReads, ApiKeyWrites } from './storage.ts';
import type { ApiKey } from './types.ts';

/** Settings of a new API key. */
export interface NewApiKey {
  readonly name: string;
  /** 1 to 3650; when absent, the key never expires. */
  readonly expiresInDays?: number | undefined;
  /** At most the creator's role; default admin, or the creator's role when that is lower. */
  readonly role?: Role | undefined;
}

/** A key and its token; the token is returned only here. */
export interface IssuedApiKey {
  readonly key: ApiKey;
  readonly token: string;
}

/** Largest number of API keys of an organization that are not revoked. */
const MAX_API_KEYS = 500;

/** The API keys of an organization. */
export interface ApiKeys {
  list(context: CallContext, page: Page): Promise<PageOf<ListedApiKey>>;
  /**
   * @throws ProbityError `forbidden` when the requested role is above the creator's; `conflict` when
   *   the organization has {@link MAX_API_KEYS}, expired ones included
   */
  create(context: CallContext, input: NewApiKey): Promise<IssuedApiKey>;
  /**
   * Revokes a key: no instance authenticates it from then on.
   * @throws ProbityError `not_found` when the organization has no such key; `forbidden` when its
   *   member has a role above the caller's or, for the caller's own, the key has
   */
  revoke(context: CallContext, id: string): Promise<void>;
}

/** An API key with the role that it has now: at most its member's, null while that is not active. */
export interface ListedApiKey extends ApiKey {
  readonly effectiveRole: Role | null;
}

/** Creates the API key service. */
export function createApiKeys(
  { ids, clock, random, audit }: Runtime,
  { storage }: { readonly storage: Storage<ApiKeyReads & MemberReads, ApiKeyWrites> },
): ApiKeys {
  return {
    async list({ principal: { organizationId } }, page) {
      const { items, total } = await storage.listApiKeys(organizationId, page);
      const memberIds = [...new Set(items.map(({ memberId }) => memberId))];
      const members = new Map(
        await Promise.all(
          memberIds.map(async (id) => [id, await storage.findMember(organizationId, id)] as const),
        ),
      );
      return {
        items: items.map((key) => ({
          ...key,
          effectiveRole: roleOf(key, members.get(key.memberId)),
        })),
        total,
      };
    },

    async create(context, { name, expiresInDays, role }) {
      const { principal } = context;
      if (principal.role === null || (role && !isAtLeast(principal.role, role))) {
        throw new ProbityError(
          'forbidden',
          principal.role === null
            ? 'An API key has the role of its creator at most: create it as a caller with a role.'
            : `The role ${role} of the new key is above the caller's role ${principal.role}.`,
        );
      }
      const now = clock.now();
      const issued = issueApiKey(random, {
        id: ids.next('key'),
        organizationId: principal.organizationId,
        memberId: principal.memberId,
        name,
        role: role ?? weakerRole('admin', principal.role),
        createdAt: now,
        expiresAt: expiresInDays ? new Date(now.getTime() + expiresInDays * DAY_MS) : null,
      });
      await storage.withTenantLock(context, principal.organizationId, async (tx) => {
        await requirePlace(tx, principal.organizationId);
        await tx.insertApiKey(issued.key);
        const after = toAuditFields(issued.key);
        await audit.record(tx, context, 'api_key.created', targetOf(issued.key), { after });
      });
      return issued;
    },

    async revoke(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const revoked = await tx.revokeApiKey(organizationId, id, clock.now());
        if (!revoked) throw notFound('API key');
        requireRoleWithinOwn(context, await roleToEnd(tx, context, revoked));
        const before = toAuditFields(revoked);
        await audit.record(tx, context, 'api_key.revoked', targetOf(revoked), { before });
      });
    },
  };
}

/** The role that requests with the key have now; null while its member is not active. */
function roleOf({ role }: ApiKey, member: Member | null | undefined): Role | null {
  return member?.status === 'active' ? weakerRole(role, member.role) : null;
}

/** Call it under the tenant's lock, so that concurrent creations cannot exceed the limit. */
async function requirePlace(reads: ApiKeyReads, organizationId: string): Promise<void> {
  const { total } = await reads.listApiKeys(organizationId, { limit: 1, offset: 0 });
  if (total < MAX_API_KEYS) return;
  throw new ProbityError(
    'conflict',
    `The organization has ${MAX_API_KEYS} API keys, the largest number; revoke one first.`,
  );
}

/**
 * The role that a caller must have to end the key: that of its member, since an administrator must
 * not cut an owner off. Members end weaker keys of their own by any key.
 */
async function roleToEnd(tx: MemberReads, { principal }: CallContext, key: ApiKey): Promise<Role> {
  if (key.memberId === principal.memberId) return key.role;
  const member = await tx.findMember(key.organizationId, key.memberId);
  return member?.role ?? key.role;
}

function targetOf({ id }: ApiKey): AuditTarget {
  return { type: 'api_key', id };
}

function toAuditFields({ name, role, prefix, expiresAt }: ApiKey): AuditFields {
  return { name, role, prefix, expires_at: expiresAt };
}

/** An API key before it has a token. */
type UnissuedApiKey = Omit<ApiKey, 'prefix' | 'tokenHash' | 'lastUsed' | 'revokedAt'>;

/** Generates the token of a new key, which is not stored yet. */
export function issueApiKey(random: Random, unissued: UnissuedApiKey): IssuedApiKey {
  const token = mintToken('pbk_', random);
  const key: ApiKey = {
    ...unissued,
    prefix: token.slice(0, VISIBLE_TOKEN_LENGTH),
    tokenHash: hashSecret(token),
    lastUsed: null,
    revokedAt: null,
  };
  return { key, token };
}
