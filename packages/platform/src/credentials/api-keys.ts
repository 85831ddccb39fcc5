import type { CallContext, Clock, Ids, Page, PageOf, Random, Role } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import type { AuditedChange } from '@probity/core/internal';
import {
  auditOf,
  hashSecret,
  isAtLeast,
  mintToken,
  VISIBLE_TOKEN_LENGTH,
  weakerRole,
} from '@probity/core/internal';
import type { PlatformStorage } from '../organizations/storage.ts';
import type { ApiKey } from '../organizations/types.ts';

/** What a new API key is to be. */
export interface NewApiKey {
  readonly name: string;
  /** 1 to 3650; absent means that the key never expires. */
  readonly expiresInDays?: number | undefined;
  /** Not above the creator's; default admin, or the creator's where that is less. */
  readonly role?: Role | undefined;
}

/** A key and its token, which is known only at this moment. */
export interface IssuedApiKey {
  readonly key: ApiKey;
  readonly token: string;
}

/** API keys of an organization. */
export interface ApiKeys {
  list(context: CallContext, page: Page): Promise<PageOf<ApiKey>>;
  /** @throws ProbityError `forbidden` when the role asked for is above the creator's */
  create(context: CallContext, input: NewApiKey): Promise<IssuedApiKey>;
  /**
   * Revokes a key: it authenticates no further request, on any instance.
   * @throws ProbityError `not_found` when the organization has no such key
   */
  revoke(context: CallContext, id: string): Promise<void>;
}

/** What the service needs. */
export interface ApiKeyDependencies {
  readonly storage: PlatformStorage;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
}

const DAY_MS = 86_400_000;

/** Creates the service over API keys. */
export function createApiKeys({ storage, ids, clock, random }: ApiKeyDependencies): ApiKeys {
  return {
    list: (context, page) => storage.listApiKeys(context.principal.organizationId, page),

    async create(context, { name, expiresInDays, role }) {
      const { principal } = context;
      if (role && !isAtLeast(principal.role, role)) {
        throw new ProbityError(
          'forbidden',
          `A key with the role ${principal.role} cannot create one with the role ${role}.`,
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
      await storage.transaction(context, async (tx) => {
        await tx.insertApiKey(issued.key);
        await tx.recordAudit(auditOf(context, toAudit('api_key.created', issued.key, now)));
      });
      return issued;
    },

    async revoke(context, id) {
      const { organizationId } = context.principal;
      await storage.transaction(context, async (tx) => {
        const now = clock.now();
        const revoked = await tx.revokeApiKey(organizationId, id, now);
        if (!revoked) throw notFound('API key');
        await tx.recordAudit(auditOf(context, toAudit('api_key.revoked', revoked, now)));
      });
    },
  };

  function toAudit(
    action: 'api_key.created' | 'api_key.revoked',
    { id, name, role, prefix, expiresAt }: ApiKey,
    createdAt: Date,
  ): AuditedChange {
    const facts = { name, role, prefix, expires_at: expiresAt };
    const change = action === 'api_key.created' ? { after: facts } : { before: facts };
    return { id: ids.next('aud'), action, target: { type: 'api_key', id }, ...change, createdAt };
  }
}

type ApiKeyFacts = Omit<ApiKey, 'prefix' | 'tokenHash' | 'lastUsed' | 'revokedAt'>;

/** A key with a fresh token, not stored yet. */
export function issueApiKey(random: Random, facts: ApiKeyFacts): IssuedApiKey {
  const token = mintToken('pbk_', random);
  const key: ApiKey = {
    ...facts,
    prefix: token.slice(0, VISIBLE_TOKEN_LENGTH),
    tokenHash: hashSecret(token),
    lastUsed: null,
    revokedAt: null,
  };
  return { key, token };
}
