import { ENTERPRISE_USER_SCHEMA, SERVICE_SCHEMA } from './extensions.ts';
import { GROUP_SCHEMA } from './group.ts';
import type { ResourceTypeDefinition, SchemaDefinition } from './types.ts';
import { USER_SCHEMA } from './user.ts';

/** The resource type of users. */
export const USER: ResourceTypeDefinition = {
  name: 'User',
  endpoint: '/Users',
  description: 'User Account',
  schema: USER_SCHEMA,
  extensions: [
    { schema: ENTERPRISE_USER_SCHEMA, required: false },
    { schema: SERVICE_SCHEMA, required: false },
  ],
};

/** The resource type of groups. */
export const GROUP: ResourceTypeDefinition = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Group',
  schema: GROUP_SCHEMA,
  extensions: [],
};

/** Every resource type, in the order of `/ResourceTypes`: clients take the first for the users. */
export const RESOURCE_TYPES: readonly ResourceTypeDefinition[] = [USER, GROUP];

/** Every schema, in the order of `/Schemas`. */
export const SCHEMAS: readonly SchemaDefinition[] = RESOURCE_TYPES.flatMap(
  ({ schema, extensions }) => [schema, ...extensions.map((extension) => extension.schema)],
);
