import type {
  AuditFields,
  AuditTarget,
  CallContext,
  Random,
  Runtime,
  Storage,
} from '@probity/core';
import { hashSecret, mintToken, VISIBLE_TOKEN_LENGTH } from '@probity/core/internal';
import type { ScimTokenReads, ScimTokenWrites } from './storage.ts';
import type { ScimToken } from './types.ts';

/** Whether an identity provider may provision the organization's members, and how it gets in. */
export interface ScimStatus {
  /** What the identity provider is given as the address of the SCIM service. */
  readonly baseUrl: string;
  /** The token in use; null where SCIM is disabled. */
  readonly token: ScimToken | null;
}

/** A SCIM token with its value, which is known only at this moment. */
export interface IssuedScimToken {
  readonly record: ScimToken;
  readonly token: string;
}

/** SCIM's administration, as in the dashboard's security settings. */
export interface ScimAdministration {
  status(context: CallContext): Promise<ScimStatus>;
  /**
   * Enables SCIM, or replaces its token where it is enabled already.
   * @param overlapSeconds how long the token before stays valid, so that the identity provider can
   *   be given the new one without a gap; by default it is invalid at once
   */
  enable(
    context: CallContext,
    overlapSeconds?: number,
  ): Promise<ScimStatus & { readonly issued: IssuedScimToken }>;
  /** Disables SCIM: every token is invalid at once. */
  disable(context: CallContext): Promise<void>;
}

/** What the service needs. */
export interface ScimAdministrationOptions {
  readonly storage: Storage<ScimTokenReads, ScimTokenWrites>;
  /** Base of absolute addresses, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Creates the service. */
export function createScimAdministration(
  { ids, clock, random, audit }: Runtime,
  options: ScimAdministrationOptions,
): ScimAdministration {
  const { storage } = options;
  const baseUrl = () => `${options.baseUrl()}/scim/v2`;

  return {
    async status({ principal }) {
      const tokens = await storage.listScimTokens(principal.organizationId);
      return { baseUrl: baseUrl(), token: currentAt(tokens, clock.now()) };
    },

    async enable(context, overlapSeconds = 0) {
      const { organizationId } = context.principal;
      const createdAt = clock.now();
      const issued = issueScimToken(random, { id: ids.next('sct'), organizationId, createdAt });
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const replaced = await replaceTokens(tx, organizationId, createdAt, overlapSeconds);
        await tx.insertScimToken(issued.record);
        const action = replaced ? 'scim.token_regenerated' : 'scim.enabled';
        await audit.record(tx, context, action, targetOf(issued.record), {
          before: replaced && toAuditFields(replaced),
          after: toAuditFields(issued.record),
        });
      });
      return { baseUrl: baseUrl(), token: issued.record, issued };
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

function targetOf({ id }: ScimToken): AuditTarget {
  return { type: 'scim_token', id };
}

function toAuditFields({ prefix, expiresAt }: ScimToken): AuditFields {
  return { prefix, expires_at: expiresAt };
}

/** A SCIM token with a fresh value, not stored yet. */
export function issueScimToken(
  random: Random,
  unissued: Pick<ScimToken, 'id' | 'organizationId' | 'createdAt'>,
): IssuedScimToken {
  const token = mintToken('psc_', random);
  const record: ScimToken = {
    ...unissued,
    prefix: token.slice(0, VISIBLE_TOKEN_LENGTH),
    tokenHash: hashSecret(token),
    lastUsed: null,
    expiresAt: null,
    revokedAt: null,
  };
  return { record, token };
}

/**
 * The valid token that ends last, or null. A replaced one always ends before its successor, while
 * the clocks of two instances may disagree on which was made first.
 */
function currentAt(tokens: readonly ScimToken[], now: Date): ScimToken | null {
  const endOf = ({ expiresAt }: ScimToken) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const valid = tokens.filter((token) => endOf(token) > now.getTime());
  return valid.sort((left, right) => (endOf(left) < endOf(right) ? 1 : -1))[0] ?? null;
}

/**
 * Ends the tokens there are: the current one after the overlap, every other at once. Answers the
 * current one, or null where none was valid.
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
