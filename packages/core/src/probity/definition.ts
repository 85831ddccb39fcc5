import type { Capability } from '../runtime/capability.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Migration } from '../sql/migration.ts';
import type { Tenants } from '../tenants/tenants.ts';

/** What a capability is told about the host that it is created in. */
export interface CapabilityHost {
  /** Stores organizations of the host as tenants. */
  readonly tenants: Tenants;
  /** Returns the base of absolute URLs of endpoints: the public URL and the mount. */
  readonly baseUrl: () => string;
  /** Whether the host gave its public URL; without it `baseUrl` is one on localhost. */
  readonly hasPublicUrl: boolean;
  /** The path below which the host serves: `/probity`. */
  readonly mount: string;
  /** The names of all capabilities of the host. */
  readonly capabilities: readonly string[];
  /**
   * The services of another capability of the host, by its name, once all are created; undefined where there is none. A
   * capability declares as an interface what it needs of them.
   */
  readonly servicesOf: (capability: string) => unknown;
}

/**
 * A capability with its options, not yet created: what `governance()` and `webhooks()` return for
 * `createProbity`. It imports its SQL storage only where a SQL database is used.
 */
export interface CapabilityDefinition<Name extends string = string, Services = unknown> {
  /** The name of its services: `governance`. */
  readonly name: Name;
  /** The migrations of its tables, to be applied after the kernel's. */
  migrations(): Promise<readonly Migration[]>;
  /** Whether it seals secrets, so that an encryption key is needed. */
  readonly needsSecretBox?: boolean;
  /** Creates the capability on an open database; nothing runs yet. */
  create(runtime: Runtime, host: CapabilityHost): Promise<Capability<Services>>;
}

/** The services of a list of definitions, by their names. */
export type ServicesOf<Definitions extends readonly CapabilityDefinition[]> = {
  readonly [Definition in Definitions[number] as Definition['name']]: Definition extends CapabilityDefinition<
    string,
    infer Services
  >
    ? Services
    : never;
};
