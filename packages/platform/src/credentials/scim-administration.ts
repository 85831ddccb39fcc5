import type {
  AuditFields,
  AuditTarget,
  CallContext,
  Random,
  Runtime,
  Storage,
} from '@probity/core';
import { validationError } from '@probity/core';
import { DAY_MS, hashSecret, mintToken, VISIBLE_TOKEN_LENGTH } from '@probity/core/internal';
import type { ScimTokenReads, ScimTokenWrites } from './storage.ts';
import type { ScimToken } from './types.ts';

/** Whether SCIM is enabled for an organization, with the address and token it uses. */
export interface ScimStatus {
  /** URL of the SCIM service, for the identity provider's configuration. */
  readonly baseUrl: string;
  /** The token in use; null when SCIM is disabled. */
  readonly token: ScimToken | null;
  /** Numbers of what the identity provider has created; null where it is not known. */
  readonly users: number | null;
  readonly groups: number | null;
}

/** Counts what identity providers have created; the storage of `@probity/scim` fits it. */
export interface ScimResourceCounts {
  countUsers(organizationId: string): Promise<number>;
  countGroups(organizationId: string): Promise<number>;
}

/** A SCIM token with its value, which is returned only here. */
export interface IssuedScimToken {
  readonly record: ScimToken;
  readonly token: string;
}

/** Options of a new SCIM token. */
export interface ScimTokenOptions {
  /**
   * How long the previous token stays valid, in seconds, so that the identity provider can switch
   * without a gap; default 0, it is invalid at once.
   */
  readonly overlapSeconds?: number | undefined;
  /** Default: the token does not expire. */
  readonly expiresInDays?: number | undefined;
}

/** SCIM administration, as in the dashboard's security settings. */
export interface ScimAdministration {
  status(context: CallContext): Promise<ScimStatus>;
  /**
   * Enables SCIM, or replaces its token when it is enabled already.
   * @throws ProbityError `validation_failed` when the previous token would outlive the new one
   */
  enable(
    context: CallContext,
    options?: ScimTokenOptions,
  ): Promise<ScimStatus & { readonly issued: IssuedScimToken }>;
  /** Disables SCIM: every token is invalid at once. */
  disable(context: CallContext): Promise<void>;
}

/** Dependencies of SCIM administration. */
export interface ScimAdministrationOptions {
  readonly storage: Storage<ScimTokenReads, ScimTokenWrites>;
  /** Base URL of absolute links, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Default: the numbers are not known. */
  readonly counts?: ScimResourceCounts | undefined;
}

/** Creates the SCIM administration service. */
export function createScimAdministration(
  { ids, clock, random, audit }: Runtime,
  options: ScimAdministrationOptions,
): ScimAdministration {
  const { storage, counts } = options;

  async function statusOf(organizationId: string, token: ScimToken | null): Promise<ScimStatus> {
    const baseUrl = `${options.baseUrl()}/scim/v2`;
    const users = (await counts?.countUsers(organizationId)) ?? null;
    const groups = (await counts?.countGroups(organizationId)) ?? null;
    return { baseUrl, token, users, groups };
  }

  return {
    async status({ principal }) {
      const tokens = await storage.listScimTokens(principal.organizationId);
      return statusOf(principal.organizationId, currentAt(tokens, clock.now()));
    },

    async enable(context, { overlapSeconds = 0, expiresInDays } = {}) {
      const { organizationId } = context.principal;
      const createdAt = clock.now();
      const lifetimeMs = expiresInDays === undefined ? null : expiresInDays * DAY_MS;
      requireSuccession(overlapSeconds * 1_000, lifetimeMs);
      const expiresAt = lifetimeMs === null ? null : new Date(createdAt.getTime() + lifetimeMs);
      const unissued = { id: ids.next('sct'), organizationId, createdAt, expiresAt };
      const issued = issueScimToken(random, unissued);
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const replaced = await replaceTokens(tx, organizationId, createdAt, overlapSeconds);
        await tx.insertScimToken(issued.record);
        const action = replaced ? 'scim.token_regenerated' : 'scim.enabled';
        await audit.record(tx, context, action, targetOf(issued.record), {
          before: replaced && toAuditFields(replaced),
          after: toAuditFields(issued.record),
        });
      });
      return { ...(await statusOf(organizationId, issued.record)), issued };
    },

    async disable(context) {
      const { organizationId } = context.principal;
      const now = clock.now();
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const replaced = await replaceTokens(tx, organizationId, now, 0);
        if (!replaced) return;
        const before = toAuditFields(replaced);
        await audit.record(tx, context, 'scim.disabled', targetOf(replaced), { before });
      });
    },
  };
}

/** The token in use is the one that expires last; see {@link currentAt}. */
function requireSuccession(overlapMs: number, lifetimeMs: number | null): void {
  if (lifetimeMs === null || overlapMs < lifetimeMs) return;
  const message = 'must be shorter than the lifetime of the new token';
  throw validationError({ field: 'overlap_seconds', message });
}

function targetOf({ id }: ScimToken): AuditTarget {
  return { type: 'scim_token', id };
}

function toAuditFields({ prefix, expiresAt }: ScimToken): AuditFields {
  return { prefix, expires_at: expiresAt };
}

/** Generates the value of a new SCIM token, which is not stored yet. */
export function issueScimToken(
  random: Random,
  unissued: Pick<ScimToken, 'id' | 'organizationId' | 'createdAt'> & Partial<ScimToken>,
): IssuedScimToken {
  const token = mintToken('psc_', random);
  const record: ScimToken = {
    lastUsed: null,
    expiresAt: null,
    revokedAt: null,
    ...unissued,
    prefix: token.slice(0, VISIBLE_TOKEN_LENGTH),
    tokenHash: hashSecret(token),
  };
  return { record, token };
}

/**
 * Returns the valid token that expires last, or null. A replaced token always expires before its
 * successor, while the clocks of two instances may disagree on which was created first.
 */
function currentAt(tokens: readonly ScimToken[], now: Date): ScimToken | null {
  const endOf = ({ expiresAt }: ScimToken) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const valid = tokens.filter((token) => endOf(token) > now.getTime());
  return valid.sort((left, right) => (endOf(left) < endOf(right) ? 1 : -1))[0] ?? null;
}

/**
 * Expires the existing tokens: the current one after the overlap, every other at once. Returns the
 * current one, or null when none was valid.
 */
async function replaceTokens(
  tx: ScimTokenReads & ScimTokenWrites,
  organizationId: string,
  now: Date,
  overlapSeconds: number,
): Promise<ScimToken | null> {
  const tokens = await tx.listScimTokens(organizationId);
  const current = currentAt(tokens, now);
  const until = new Date(now.getTime() + overlapSeconds * 1_000);
  for (const token of tokens) {
    if (token !== current || overlapSeconds === 0) await tx.revokeScimToken(token.id, now);
    else if (!token.expiresAt || token.expiresAt > until) await tx.expireScimToken(token.id, until);
  }
  return current;
}
