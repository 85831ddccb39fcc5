import { GROUP, USER } from '../schemas/resource-types.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import type { MutableObject } from './canonical.ts';
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
  const body = identityOf(user, USER);
  body.userName = user.userName;
  assign(body, user.attributes);
  body.active = user.active;
  if (groups.length > 0) body.groups = groups.map((group) => toUserGroup(group, baseUrl));
  body.meta = metaOf(user, USER, baseUrl);
  return body;
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
  const body = identityOf(group, GROUP);
  body.displayName = group.displayName;
  assign(body, group.attributes);
  if (members) body.members = members.map((member) => toMember(member, baseUrl));
  body.meta = metaOf(group, GROUP, baseUrl);
  return body;
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
): MutableObject {
  const schemas = [schema.id];
  for (const extension of extensions) {
    if (Object.hasOwn(attributes, extension.schema.id)) schemas.push(extension.schema.id);
  }
  const identity: MutableObject = { schemas, id };
  if (externalId !== null) identity.externalId = externalId;
  return identity;
}

/** Member by member: spreading takes several times as long, and every answer has a body. */
function assign(body: MutableObject, attributes: JsonObject): void {
  for (const name of Object.keys(attributes)) body[name] = attributes[name] as JsonValue;
}

function metaOf(
  resource: ScimUser | ScimGroup,
  resourceType: ResourceTypeDefinition,
  baseUrl: string,
): JsonObject {
  const { createdAt, lastModifiedAt } = resource;
  const created = createdAt.toISOString();
  const isUnchanged = lastModifiedAt.getTime() === createdAt.getTime();
  return {
    resourceType: resourceType.name,
    created,
    lastModified: isUnchanged ? created : lastModifiedAt.toISOString(),
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
