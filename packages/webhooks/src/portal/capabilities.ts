import type { Scope } from '@probity/core/internal';

/**
 * The capabilities of portal tokens: `view` reads webhooks, event types and statistics; `endpoint`
 * creates, changes and deletes webhooks; `secret` shows the secret of a new webhook and replaces it;
 * `attempts` reads deliveries with their bodies, sends them and the stored events of the webhook's types again,
 * and sends tests.
 */
export const PORTAL_CAPABILITIES = ['view', 'endpoint', 'secret', 'attempts'] as const;

/** One of {@link PORTAL_CAPABILITIES}. */
export type PortalCapability = (typeof PORTAL_CAPABILITIES)[number];

/** The scope of a capability. */
export function scopeOf(capability: PortalCapability): Scope {
  return `webhooks:${capability}`;
}

/** The capabilities that have these scopes, in the order of {@link PORTAL_CAPABILITIES}. */
export function capabilitiesOf(scopes: readonly Scope[]): PortalCapability[] {
  return PORTAL_CAPABILITIES.filter((capability) => scopes.includes(scopeOf(capability)));
}
