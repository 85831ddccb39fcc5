export type { ScimActivity, ScimActivityOptions } from './activity/activity.ts';
export { createScimActivity, MAX_SCIM_REQUESTS } from './activity/activity.ts';
export { createMemoryScimActivityStorage } from './activity/memory.ts';
export type { ActivityReads, ActivityWrites, ScimActivityStorage } from './activity/storage.ts';
export type { ScimRequest } from './activity/types.ts';
export type { HostScim, ScimSettings } from './definition.ts';
export { scim } from './definition.ts';
export type { ScimType } from './errors.ts';
export { scimError } from './errors.ts';
export { compareText, foldCase, foldMailbox } from './filters/compare-values.ts';
export { compileFilter, matches, matchesGroup, matchesUser } from './filters/matches.ts';
export type { FilterLimits } from './filters/parse.ts';
export { parseFilter } from './filters/parse.ts';
export { parseFilterAcross } from './filters/parse-across.ts';
export type { PatchPath } from './filters/patch-path.ts';
export { parsePatchPath } from './filters/patch-path.ts';
export { parsePath } from './filters/path.ts';
export { printFilter } from './filters/print.ts';
export type {
  AttributePath,
  CompareOperator,
  CompareValue,
  Filter,
} from './filters/types.ts';
export type { Groups, GroupsOptions } from './groups/groups.ts';
export { createGroups } from './groups/groups.ts';
export { NO_GROUPS } from './groups/none.ts';
export type { AddedMembers, GroupReads, GroupWrites } from './groups/storage.ts';
export type { ListParameters, ListRequest } from './lists/request.ts';
export { parseListRequest } from './lists/request.ts';
export type { SentPage } from './lists/response.ts';
export { createMemoryScimStorage } from './memory.ts';
export type { ClientCredentials, IssuedAccessToken } from './oauth/client-credentials.ts';
export type { Account, Provisioning, ProvisioningCall } from './provisioning.ts';
export type { Projection } from './resources/projection.ts';
export { parseAttributes, project } from './resources/projection.ts';
export type { ResourceChange, Resources } from './resources/resources.ts';
export type { SentResource } from './resources/sent.ts';
export { compareBy } from './resources/sort.ts';
export type {
  GroupMember,
  Position,
  ResourcePage,
  ResourceQuery,
  ScimGroup,
  ScimUser,
  UserGroup,
} from './resources/types.ts';
export type { UserNames } from './resources/user-name.ts';
export type { Preconditions } from './resources/versions.ts';
export {
  ENTERPRISE_USER_SCHEMA,
  ENTERPRISE_USER_SCHEMA_ID,
  SERVICE_SCHEMA,
  SERVICE_SCHEMA_ID,
} from './schemas/extensions.ts';
export { GROUP_SCHEMA, GROUP_SCHEMA_ID } from './schemas/group.ts';
export { GROUP, RESOURCE_TYPES, SCHEMAS, USER } from './schemas/resource-types.ts';
export type {
  AttributeDefinition,
  AttributeType,
  JsonObject,
  JsonValue,
  ResourceTypeDefinition,
  ResourceTypeName,
  SchemaDefinition,
} from './schemas/types.ts';
export { USER_SCHEMA, USER_SCHEMA_ID } from './schemas/user.ts';
export { toResourceTypeBody, toSchemaBody } from './schemas/wire.ts';
export type { ScimStorage, StorageReads, StorageWrites } from './storage.ts';
export type { Accounts } from './users/account.ts';
export { createAccounts } from './users/account.ts';
export { selectUsers } from './users/select.ts';
export type { UserReads, UserWrites } from './users/storage.ts';
export type { UserColumns } from './users/table.ts';
export { createUserTableStorage, restoreUser } from './users/table.ts';
export type { UserLookups, UserTable } from './users/user-table.ts';
export type { Users, UsersOptions } from './users/users.ts';
export { createUsers } from './users/users.ts';
