import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Database } from '../storage/database.ts';
import type { Tenants } from '../tenants/tenants.ts';
import type { CapabilityDefinition, ServicesOf } from './definition.ts';
import type { HostHandlers } from './handlers.ts';
import type { KeyRotation } from './key-rotation.ts';

/** Everything that exists once the database is open. */
export interface OpenedProbity<Definitions extends readonly CapabilityDefinition[]> {
  readonly database: Database;
  readonly tenants: Tenants;
  readonly services: ServicesOf<Definitions>;
  readonly lifecycle: Lifecycle;
  handlers(): Promise<HostHandlers>;
  openapi(): object;
  rotateKeys(): Promise<KeyRotation>;
}
