import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound, validationError } from '@probity/core';
import type { ScopedToken } from '@probity/core/internal';
import { issueScopedToken, validate } from '@probity/core/internal';
import { pageInput } from '../page-input.ts';
import type { WebhookStorage } from '../storage.ts';
import type { WebhookReads } from '../webhooks/storage.ts';
import type { PortalCapability } from './capabilities.ts';
import { capabilitiesOf, scopeOf } from './capabilities.ts';
import { PORTAL_TOKEN_SECONDS, portalTokenFilterInput, portalTokenInput } from './input.ts';

/** Settings of a new portal token. */
export interface NewPortalToken {
  /** At least one of {@link PORTAL_CAPABILITIES}. */
  readonly capabilities: readonly PortalCapability[];
  /** 60 to 86,400; default 3,600. */
  readonly expiresInSeconds?: number | undefined;
  /** The only webhooks that the token may use; default: all of the organization, new ones included. */
  readonly webhookIds?: readonly string[] | undefined;
}

/** A portal token, without its text. */
export interface PortalToken {
  /** `ptk_…` */
  readonly id: string;
  /** The member who made it. */
  readonly memberId: string;
  readonly capabilities: readonly PortalCapability[];
  /** Null for all webhooks of the organization. */
  readonly webhookIds: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A portal token with its text, which is returned only here. */
export interface IssuedPortalToken extends PortalToken {
  /** `ppt_…` */
  readonly token: string;
}

/** Which portal tokens are meant. */
export interface PortalTokenFilter {
  /** The member who made them. */
  readonly memberId?: string | undefined;
}

/** Tokens with which the customers of a host manage their webhooks. */
export interface PortalTokens {
  /**
   * Creates a token for the webhook endpoints of the caller's organization, with the caller's rights
   * at most.
   * @throws ProbityError `validation_failed` for a capability or a webhook that does not exist, another
   *   duration or an unknown member; `conflict` when 10,000 are in force; `forbidden` for a portal token
   */
  createPortalToken(context: CallContext, input: NewPortalToken): Promise<IssuedPortalToken>;
  /**
   * The organization's tokens that have not expired or been revoked, or those of them that a member made, the
   * last to expire first. One whose maker has lost access since is listed as well, though it is not valid.
   */
  listPortalTokens(
    context: CallContext,
    filter: PortalTokenFilter,
    page: Page,
  ): Promise<PageOf<PortalToken>>;
  /** Ends a token. @throws ProbityError `not_found` when the organization has no such token */
  revokePortalToken(context: CallContext, id: string): Promise<void>;
  /** Ends all tokens of the organization, or those that a member made; returns their number. */
  revokePortalTokens(context: CallContext, filter?: PortalTokenFilter): Promise<number>;
}

const KIND = 'ppt_';

/** Creates the service of portal tokens. */
export function createPortalTokens(runtime: Runtime, storage: WebhookStorage): PortalTokens {
  const { audit, tenants, clock, database } = runtime;
  return {
    async createPortalToken(context, input) {
      const { capabilities, webhookIds, expiresInSeconds } = checked(input);
      const { organizationId } = context.principal;
      const grant = { scopes: capabilities.map(scopeOf), resourceIds: webhookIds };
      await tenants?.ensure(organizationId, context);
      return storage.withTenantLock(context, organizationId, async (tx) => {
        await requireWebhooks(tx, organizationId, webhookIds ?? []);
        const made = { kind: KIND, grant, expiresInSeconds } as const;
        const { issued, token } = await issueScopedToken(runtime, tx, context, made);
        const after = { capabilities, webhookIds, expiresAt: issued.expiresAt };
        await audit.record(tx, context, 'portal_token.created', targetOf(issued.id), { after });
        return { ...toPortalToken(issued), token };
      });
    },

    async listPortalTokens({ principal: { organizationId } }, given, page) {
      const { memberId } = validate(portalTokenFilterInput, given, 'filter');
      const { limit, offset } = validate(pageInput, page, 'page');
      const filter = { organizationId, kind: KIND, after: clock.now(), memberId } as const;
      const reads = database.kernel(database.reader);
      const { items, total } = await reads.listScopedTokens(filter, { limit, offset });
      return { items: items.map(toPortalToken), total };
    },

    async revokePortalToken(context, id) {
      const { organizationId } = context.principal;
      await storage.transaction(context, async (tx) => {
        const isDeleted = await tx.deleteScopedToken(organizationId, KIND, id);
        if (!isDeleted) throw notFound('portal token');
        await audit.record(tx, context, 'portal_token.revoked', targetOf(id));
      });
    },

    async revokePortalTokens(context, given = {}) {
      const { memberId } = validate(portalTokenFilterInput, given, 'filter');
      const { organizationId } = context.principal;
      return storage.transaction(context, async (tx) => {
        const revoked = await tx.deleteScopedTokensOf(organizationId, KIND, memberId);
        if (revoked === 0) return 0;
        const target = { type: 'organization', id: organizationId };
        const before = memberId === undefined ? { revoked } : { revoked, memberId };
        await audit.record(tx, context, 'portal_tokens.revoked', target, { before });
        return revoked;
      });
    },
  };
}

function toPortalToken({ id, issuer, grant, createdAt, expiresAt }: ScopedToken): PortalToken {
  const capabilities = capabilitiesOf(grant.scopes);
  const { memberId } = issuer;
  return { id, memberId, capabilities, webhookIds: grant.resourceIds, createdAt, expiresAt };
}

function checked(input: NewPortalToken) {
  const { capabilities, webhookIds, expiresInSeconds } = validate(portalTokenInput, input, 'input');
  return {
    capabilities: [...new Set(capabilities)],
    webhookIds: webhookIds === undefined ? null : [...new Set(webhookIds)],
    expiresInSeconds: expiresInSeconds ?? PORTAL_TOKEN_SECONDS.usual,
  };
}

async function requireWebhooks(
  reads: WebhookReads,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    if (await reads.findWebhook(organizationId, id)) continue;
    const message = 'must be the id of a webhook of the organization';
    throw validationError({ field: `webhookIds.${index}`, message });
  }
}

function targetOf(id: string) {
  return { type: 'portal_token', id };
}
