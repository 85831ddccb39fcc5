import type { Authenticate, CapabilityDefinition } from '@probity/core';
import {
  isSqlDatabase,
  requireFunctions,
  requireKnownOptions,
  requirePath,
} from '@probity/core/internal';
import type { Groups } from './groups/groups.ts';
import { createMemoryScimStorage } from './memory.ts';
import type { Provisioning } from './provisioning.ts';
import type { UserNames } from './resources/user-name.ts';
import type { ScimStorage } from './storage.ts';
import type { Users } from './users/users.ts';

/** Options of {@link scim}. */
export interface ScimSettings {
  /**
   * Identifies identity providers by their tokens; default: `authenticate` of `createProbity`. The role of the caller
   * must be `admin` or `owner`.
   */
  readonly authenticate?: Authenticate | undefined;
  /** Changes the accounts of people as their users change; default: there are only users and groups. */
  readonly provisioning?: Provisioning | undefined;
  /**
   * `any` where a `userName` need not be an e-mail address, such as an account name; not with a provisioning. Default:
   * `email`.
   */
  readonly userNames?: UserNames | undefined;
  /** A storage of the host; default: on the database of Probity. */
  readonly storage?: ScimStorage | undefined;
  /** Path prefix of the endpoints below the mount; default `/scim/v2`. */
  readonly prefix?: string | undefined;
}

/** The services of SCIM in a host. */
export interface HostScim {
  readonly users: Users;
  readonly groups: Groups;
}

const PROVISIONING = [
  ...['find', 'findByEmail', 'add', 'activate', 'update'],
  ...['suspend', 'reactivate', 'remove'],
];

/** What a storage of the host must have; see {@link ScimStorage}. */
const STORAGE = [
  ...['findUser', 'findUserByName', 'listUsers', 'countUsers'],
  ...['findGroup', 'findGroupByName', 'listGroups', 'countGroups'],
  ...['listGroupMembers', 'listGroupsOf', 'transaction'],
];

const OPTIONS = ['authenticate', 'provisioning', 'storage', 'userNames', 'prefix'] as const;

/**
 * SCIM 2.0 for `createProbity`.
 * @throws Error that names the setting at fault
 */
export function scim(settings: ScimSettings = {}): CapabilityDefinition<'scim', HostScim> {
  requireKnownOptions('scim', settings, OPTIONS);
  const { authenticate, provisioning, storage, userNames, prefix = '/scim/v2' } = settings;
  if (userNames !== undefined && userNames !== 'email' && userNames !== 'any') {
    throw new Error(`scim: userNames must be email or any, not ${String(userNames)}`);
  }
  if (storage !== undefined) requireFunctions('scim: storage', storage, STORAGE);
  if (provisioning !== undefined) {
    requireFunctions('scim: provisioning', provisioning, PROVISIONING);
  }
  requireFunctions('scim', { authenticate: authenticate ?? (() => null) }, ['authenticate']);
  requirePath('scim: prefix', prefix);
  return {
    name: 'scim',
    migrations: async () => (await import('./migrations.ts')).scimMigrations,
    async create(runtime, host) {
      const { createScimCapability } = await import('./capability.ts');
      return createScimCapability(runtime, {
        storage: storage ?? (await createStorage(runtime.database)),
        provisioning,
        userNames,
        ...(authenticate ? { access: { authenticate } } : {}),
        baseUrl: host.baseUrl,
        prefix,
      });
    },
  };
}

async function createStorage(database: Parameters<typeof isSqlDatabase>[0]): Promise<ScimStorage> {
  if (!isSqlDatabase(database)) return createMemoryScimStorage(database as never);
  const { createSqlScimStorage } = await import('./sql.ts');
  return createSqlScimStorage(database);
}
