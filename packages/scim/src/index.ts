export type {
  AttributePath,
  CompareOperator,
  CompareValue,
  Filter,
} from './filters/types.ts';
export type { GroupReads, GroupWrites } from './groups/storage.ts';
export type {
  GroupMember,
  Position,
  ResourcePage,
  ResourceQuery,
  ScimGroup,
  ScimUser,
  UserGroup,
} from './resources/types.ts';
export type {
  AttributeDefinition,
  AttributeType,
  JsonObject,
  JsonValue,
  ResourceTypeDefinition,
  ResourceTypeName,
  SchemaDefinition,
} from './schemas/types.ts';
export type { ScimStorage, StorageReads, StorageWrites } from './storage.ts';
export type { UserReads, UserWrites } from './users/storage.ts';
