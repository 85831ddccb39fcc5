import type { ScopedAccess } from '@probity/core/koa';
import type { PortalCapability } from './capabilities.ts';
import { scopeOf } from './capabilities.ts';

/** Opens an endpoint to portal tokens with a capability. */
export function portal(
  capability: PortalCapability,
  resources?: ScopedAccess['resources'],
): ScopedAccess {
  const scope = scopeOf(capability);
  return resources === undefined ? { scope } : { scope, resources };
}

/** Opens an endpoint whose path has a `webhook_id` to portal tokens with a capability. */
export function portalOfWebhook(capability: PortalCapability): ScopedAccess {
  return portal(capability, { byParameter: 'webhook_id', kind: 'webhook' });
}
