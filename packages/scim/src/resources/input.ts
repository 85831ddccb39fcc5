import { scimError } from '../errors.ts';
import { QUIRKS } from '../patch/quirks.ts';
import { GROUP, USER } from '../schemas/resource-types.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import type { MutableObject } from './canonical.ts';
import { membersOf, toCanonicalObject } from './canonical.ts';
import type { Faults } from './faults.ts';
import { createFaults } from './faults.ts';
import { isArray, isObject } from './json.ts';
import { readMemberIds } from './member-ids.ts';
import type { ScimGroup, ScimUser } from './types.ts';
import type { UserNames } from './user-name.ts';
import { userNameFault } from './user-name.ts';

/** The attributes of a user that clients assign, as they are stored. */
export type UserAttributes = Pick<ScimUser, 'userName' | 'externalId' | 'active' | 'attributes'>;

/** What the body of a POST or PUT says of a user. */
export interface UserInput extends Omit<UserAttributes, 'active'> {
  /** Null when the body does not say: a new user is active, a replaced one stays as it is. */
  readonly active: boolean | null;
}

/** The attributes of a group that clients assign, as they are stored. */
export type GroupAttributes = Pick<ScimGroup, 'displayName' | 'externalId' | 'attributes'>;

/** What the body of a POST or PUT says of a group. */
export interface GroupInput extends GroupAttributes {
  /** Ids, each once. Null when the body does not say: a new group is empty, a replaced one keeps its members. */
  readonly members: readonly string[] | null;
}

/** Longest value of attributes that storages have indexes of, in UTF-16 code units. */
const MAX_INDEXED_LENGTH = 512;

/** Longest JSON of a resource's attributes, in UTF-16 code units. */
const MAX_ATTRIBUTES_LENGTH = 1_048_576;

/**
 * Reads the body of a POST or PUT of a user: names in any letter case, "" and null for no value, and the forms in the
 * table of quirks. What is read-only or unknown is ignored. When no e-mail says whether it is the primary one, the
 * first is (specification, "SCIM user").
 * @throws ProbityError `invalidSyntax` when the body is no object; `invalidValue` naming the attributes
 */
export function toUserInput(body: unknown, userNames: UserNames = 'email'): UserInput {
  const faults = createFaults('User');
  const members = resourceMembersOf(body, USER, faults);
  const resource = toResource(members, USER, faults);
  const active = readActive(members.get('active'), faults);
  if (isArray(resource.emails)) resource.emails = withPrimary(resource.emails);
  const attributes = toUserAttributes(resource, faults, { userNames });
  faults.check();
  return { ...attributes, active };
}

/**
 * Reads the body of a POST or PUT of a group, as {@link toUserInput} does of a user. `members` is emptied by [] and
 * null only; everything else that is not a list of objects with a `value` is refused.
 * @throws ProbityError as `toUserInput`
 */
export function toGroupInput(body: unknown): GroupInput {
  const faults = createFaults('Group');
  const members = resourceMembersOf(body, GROUP, faults);
  const attributes = toGroupAttributes(toResource(members, GROUP, faults), faults);
  const given = members.get('members');
  const ids = given === undefined ? null : readMemberIds(given, 'members', faults);
  faults.check();
  return { ...attributes, members: ids };
}

/** The members of a body and, as if they were beside them, those below the URN of the resource's own schema. */
function resourceMembersOf(
  body: unknown,
  { schema }: ResourceTypeDefinition,
  faults: Faults,
): ReadonlyMap<string, JsonValue> {
  const members = membersOf(requireObject(body), '', faults);
  const below = QUIRKS.coreBelowUrn.read(members.get(schema.id.toLowerCase()));
  if (below === undefined) return members;
  const all = new Map(members);
  for (const [name, value] of membersOf(below, `${schema.id}:`, faults)) {
    if (all.has(name)) faults.add(`${schema.id}:${name}`, 'is given twice');
    all.set(name, value);
  }
  return all;
}

/** @throws ProbityError `invalidSyntax` when a body is no object */
export function requireObject(body: unknown): JsonObject {
  if (isObject(body as JsonValue)) return body as JsonObject;
  throw scimError('invalidSyntax', 'The body must be a JSON object');
}

/**
 * A resource in canonical form, without `active` and `members`; extensions are below their URN. The result is
 * complete only if there are no faults.
 */
export function toResource(
  members: ReadonlyMap<string, JsonValue>,
  { schema, extensions }: ResourceTypeDefinition,
  faults: Faults,
): MutableObject {
  const own = schema.attributes.filter(({ name }) => name !== 'active' && name !== 'members');
  const resource = toCanonicalObject(members, own, '', faults);
  for (const { schema: extension } of extensions) {
    const { id, attributes } = extension;
    const value = members.get(id.toLowerCase());
    if (QUIRKS.emptyText.read(value)) continue;
    if (!isObject(value)) {
      faults.add(id, 'must be an object');
      continue;
    }
    const prefix = `${id}:`;
    const own = toCanonicalObject(membersOf(value, prefix, faults), attributes, prefix, faults);
    if (Object.keys(own).length > 0) resource[id] = own;
  }
  return resource;
}

/** Tells which attributes a request assigns; the others were checked when they were assigned. */
type IsAssigned = (name: string) => boolean;

const ALL: IsAssigned = () => true;

/** Checks a user in canonical form, in which `userName` and `externalId` are beside the other attributes. */
export function toUserAttributes(
  resource: JsonObject,
  faults: Faults,
  { isAssigned = ALL, userNames }: { isAssigned?: IsAssigned; userNames: UserNames },
): Omit<UserAttributes, 'active'> {
  const { userName, externalId = null, ...attributes } = resource;
  checkResource(resource, USER, faults, isAssigned);
  const isNamed = typeof userName === 'string' && isAssigned('userName');
  const fault = isNamed ? userNameFault(userName, userNames) : null;
  if (fault) faults.add('userName', fault);
  return { userName: userName as string, externalId: externalId as string | null, attributes };
}

/** Checks a group in canonical form, in which `displayName` and `externalId` are beside the other attributes. */
export function toGroupAttributes(
  resource: JsonObject,
  faults: Faults,
  isAssigned: IsAssigned = ALL,
): GroupAttributes {
  const { displayName, externalId = null, ...attributes } = resource;
  checkResource(resource, GROUP, faults, isAssigned);
  const own = { displayName: displayName as string, externalId: externalId as string | null };
  return { ...own, attributes };
}

function checkResource(
  resource: JsonObject,
  { schema }: ResourceTypeDefinition,
  faults: Faults,
  isAssigned: IsAssigned,
): void {
  for (const { name, required } of schema.attributes) {
    if (required && isAssigned(name) && !Object.hasOwn(resource, name)) {
      faults.add(name, 'is missing');
    }
  }
  for (const name of ['externalId', 'displayName']) {
    if (isAssigned(name)) checkLength(resource[name], name, faults);
  }
  const emails = isArray(resource.emails) && isAssigned('emails') ? resource.emails : [];
  emails.forEach((email, index) => {
    checkLength(isObject(email) ? email.value : null, `emails[${index}].value`, faults);
  });
  const isLarger = Object.keys(resource).some(isAssigned);
  if (!isLarger || JSON.stringify(resource).length <= MAX_ATTRIBUTES_LENGTH) return;
  faults.add('attributes', `must have at most ${MAX_ATTRIBUTES_LENGTH} characters in total`);
}

function checkLength(value: JsonValue | undefined, field: string, faults: Faults): void {
  if (typeof value !== 'string' || value.length <= MAX_INDEXED_LENGTH) return;
  faults.add(field, `must have at most ${MAX_INDEXED_LENGTH} characters`);
}

/**
 * `active` of a body: null when it is absent. It has no unassigned state: taking "" or null for absent could give
 * access back to a person who was to lose it.
 */
function readActive(value: JsonValue | undefined, faults: Faults): boolean | null {
  if (value === undefined) return null;
  const read = QUIRKS.booleansAsText.read(QUIRKS.activeInArray.read(value));
  if (typeof read === 'boolean') return read;
  faults.add('active', 'must be true or false');
  return null;
}

/** Without a word about `primary` in any e-mail, the first one is primary. */
function withPrimary(emails: readonly JsonValue[]): readonly JsonValue[] {
  if (emails.some((email) => isObject(email) && Object.hasOwn(email, 'primary'))) return emails;
  return emails.map((email, index) =>
    isObject(email) && index === 0 ? { ...email, primary: true } : email,
  );
}
