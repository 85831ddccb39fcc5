import { GROUP, USER } from '../schemas/resource-types.ts';
import type { JsonObject, ResourceTypeDefinition } from '../schemas/types.ts';
import type { GroupMember, ScimGroup, ScimUser, UserGroup } from './types.ts';

/**
 * The full body of a user in canonical form, before `attributes` and `excludedAttributes`.
 * @param groups the groups it belongs to; with none, `groups` is absent
 * @param baseUrl of the SCIM interface, without a trailing slash
 */
export function toUserBody(
  user: ScimUser,
  groups: readonly UserGroup[],
  baseUrl: string,
): JsonObject {
  const { userName, active, attributes } = user;
  return {
    ...identityOf(user, USER),
    userName,
    ...attributes,
    active,
    ...(groups.length > 0 ? { groups: groups.map((group) => toUserGroup(group, baseUrl)) } : {}),
    meta: metaOf(user, USER, baseUrl),
  };
}

/**
 * The full body of a group in canonical form, before `attributes` and `excludedAttributes`.
 * @param members an empty group has `members: []`; null leaves the attribute out, when it is not asked for
 * @param baseUrl of the SCIM interface, without a trailing slash
 */
export function toGroupBody(
  group: ScimGroup,
  members: readonly GroupMember[] | null,
  baseUrl: string,
): JsonObject {
  const { displayName, attributes } = group;
  return {
    ...identityOf(group, GROUP),
    displayName,
    ...attributes,
    ...(members ? { members: members.map((member) => toMember(member, baseUrl)) } : {}),
    meta: metaOf(group, GROUP, baseUrl),
  };
}

/** URI of a resource, which is also that of the header Location. */
export function locationOf(
  id: string,
  { endpoint }: ResourceTypeDefinition,
  baseUrl: string,
): string {
  return `${baseUrl}${endpoint}/${encodeURIComponent(id)}`;
}

/** Weak entity tag of a resource (RFC 7644, section 3.14). */
export function entityTagOf({ version }: { readonly version: number }): string {
  return `W/"${version}"`;
}

function identityOf(
  { id, externalId, attributes }: ScimUser | ScimGroup,
  { schema, extensions }: ResourceTypeDefinition,
): JsonObject {
  const extended = extensions.filter((extension) => Object.hasOwn(attributes, extension.schema.id));
  const schemas = [schema.id, ...extended.map((extension) => extension.schema.id)];
  return { schemas, id, ...(externalId === null ? {} : { externalId }) };
}

function metaOf(
  resource: ScimUser | ScimGroup,
  resourceType: ResourceTypeDefinition,
  baseUrl: string,
): JsonObject {
  return {
    resourceType: resourceType.name,
    created: resource.createdAt.toISOString(),
    lastModified: resource.lastModifiedAt.toISOString(),
    location: locationOf(resource.id, resourceType, baseUrl),
    version: entityTagOf(resource),
  };
}

function toUserGroup({ id, display, type }: UserGroup, baseUrl: string): JsonObject {
  return { value: id, $ref: locationOf(id, GROUP, baseUrl), display, type };
}

function toMember({ id, display, type }: GroupMember, baseUrl: string): JsonObject {
  const $ref = locationOf(id, type === 'User' ? USER : GROUP, baseUrl);
  return { value: id, $ref, ...(display === null ? {} : { display }), type };
}
