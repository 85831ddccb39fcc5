import type { Filter } from '../filters/types.ts';
import { isArray, isObject } from '../resources/json.ts';
import type { JsonObject, JsonValue } from '../schemas/types.ts';

/** What identity providers send beyond RFC 7643 and RFC 7644, and how it is read. */
interface Quirk<Read> {
  /** Who sends it. */
  readonly clients: readonly string[];
  /** Where it was seen or is documented. */
  readonly source: string;
  /** What is sent, with an example. */
  readonly sends: string;
  /** What it means here; what is not of that form is returned as it is. */
  readonly read: Read;
}

const ENTRA_GUIDE =
  'learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups';
const ENTRA_FLAG =
  'learn.microsoft.com/entra/identity/app-provisioning/application-provisioning-config-problem-scim-compatibility';

/** Every quirk that is understood, in bodies of POST and PUT and in PATCH operations. */
export const QUIRKS = {
  /** `"True"` and `"False"` for booleans, in any letter case. */
  booleansAsText: quirk({
    clients: ['Entra ID without aadOptscim062020', "Microsoft's Postman collections"],
    source: `${ENTRA_FLAG}; AzureAD/SCIMReferenceCode`,
    sends: '{"op": "Replace", "path": "active", "value": "False"}',
    read: (value: JsonValue): JsonValue => {
      const text = typeof value === 'string' ? value.toLowerCase() : value;
      if (text === 'true') return true;
      return text === 'false' ? false : value;
    },
  }),

  /** "" and null for no value (RFC 7643, section 2.5, has null). */
  emptyText: quirk({
    clients: ['Entra ID', "the Entra gallery's validation", "Microsoft's SCIM Validator"],
    source: 'AzureAD/SCIMReferenceCode (validation Logic App); SCIM-SDK #652',
    sends: '{"op": "Replace", "path": "title", "value": ""}',
    read: (value: JsonValue | undefined): value is '' | null | undefined =>
      value === undefined || value === null || value === '',
  }),

  /** Empty lists for attributes without a value. */
  emptyList: quirk({
    clients: ['Entra ID', 'Okta'],
    source: `${ENTRA_GUIDE} (create user); developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20; SCIM-SDK #757`,
    sends: '{"op": "replace", "path": "phoneNumbers", "value": []}',
    read: (values: readonly JsonValue[]): readonly JsonValue[] | undefined =>
      values.length === 0 ? undefined : values,
  }),

  /** Parameters that mean nothing to SCIM, in the query of every request: what an endpoint does with them. */
  unknownParameters: quirk({
    clients: ['Entra ID'],
    source: ENTRA_FLAG,
    sends: 'GET /Users?aadOptscim062020&filter=…',
    read: 'ignore',
  }),

  /** A slash at the end of a path, and other letter case in it: how paths are matched. */
  pathForm: quirk({
    clients: ["Microsoft's Postman collections", 'WSO2 Identity Server'],
    source: 'AzureAD/SCIMReferenceCode; wso2/product-is #8876',
    sends: 'GET /Users/?filter=…, GET /users',
    read: 'lenient',
  }),

  /** The id alone for an attribute with `value`, such as `manager`. */
  bareValue: quirk({
    clients: ['Entra ID', 'WSO2 Identity Server'],
    source: `${ENTRA_GUIDE} (manager); SCIM-SDK #686; wso2/product-is #21040 (emails)`,
    sends: '{"op": "Add", "path": "urn:…:enterprise:2.0:User:manager", "value": "26118915"}',
    read: (value: JsonValue): JsonValue =>
      value === null || typeof value === 'object' ? value : { value },
  }),

  /** Attributes of the core schema below its URN, as those of extensions are. */
  coreBelowUrn: quirk({
    clients: ['scimverify'],
    source: 'limosa-io/scimverify (creation of a user and a group)',
    sends:
      '{"schemas": ["urn:…:core:2.0:User"], "urn:…:core:2.0:User": {"userName": "ann@example.com"}}',
    read: (value: JsonValue | undefined): JsonObject | undefined =>
      isObject(value) ? value : undefined,
  }),

  /** An array of one for a single value, such as `manager`. */
  arrayOfOne: quirk({
    clients: ['Entra ID'],
    source: 'SCIM-SDK #686; directory-scimple PR #1244',
    sends: '{"op": "Add", "path": "urn:…:User:manager", "value": [{"value": "26118915"}]}',
    read: (value: JsonValue): JsonValue =>
      isArray(value) && value.length <= 1 ? (value[0] ?? null) : value,
  }),

  /** An array of one for `active`. */
  activeInArray: quirk({
    clients: ['clients of Apache Syncope'],
    source: 'apache/syncope PR #581 (SCIMDataBinder takes the first of a list for active)',
    sends: '{"op": "replace", "path": "active", "value": [false]}',
    read: (value: JsonValue): JsonValue =>
      isArray(value) && value.length === 1 ? (value[0] ?? null) : value,
  }),

  /** One value without an array for a multi-valued attribute. */
  oneOfMany: quirk({
    clients: ['OneLogin'],
    source: 'django-scim2, adapters.py (e-mails)',
    sends: '{"op": "replace", "path": "emails", "value": {"value": "ann@example.com"}}',
    read: (value: JsonValue): readonly JsonValue[] => (isArray(value) ? value : [value]),
  }),

  /** JSON as text for a role; null for a text in JSON that names no role, which is refused. */
  roleAsJson: quirk({
    clients: ['Entra ID (AppRoleAssignmentsComplex, AssertiveAppRoleAssignmentsComplex)'],
    source: `${ENTRA_GUIDE}; MicrosoftDocs/azure-docs #50772`,
    sends:
      '{"op": "add", "path": "roles", "value": [{"value": "{\\"id\\":\\"06b0\\",\\"value\\":\\"editor\\"}"}]}',
    read: roleOf,
  }),

  /** `Add`, `Replace` and `Remove`. */
  operationCase: quirk({
    clients: ['Entra ID'],
    source: ENTRA_GUIDE,
    sends: '{"op": "Replace", "path": "displayName", "value": "Ann"}',
    read: (op: JsonValue | undefined): JsonValue | undefined =>
      typeof op === 'string' ? op.toLowerCase() : op,
  }),

  /** Members of a request and of its operations in other letter case, among others that mean nothing. */
  operationMembers: quirk({
    clients: ['Entra ID (old)', 'Okta'],
    source: "Microsoft's Postman collections; ssoready/ssoready PR #182",
    sends: '{"id": "…", "operations": [{"name": "addMember", "OP": "Add", "path": "members", …}]}',
    read: (request: JsonObject): ReadonlyMap<string, JsonValue> =>
      new Map(Object.entries(request).map(([name, value]) => [name.toLowerCase(), value])),
  }),

  /** Paths as the names of a value without path. */
  pathsAsNames: quirk({
    clients: ['Entra ID', "Microsoft's SCIM Validator"],
    source: 'learn.microsoft.com/answers/questions/1665068',
    sends:
      '{"op": "add", "value": {"name.givenName": "Ann", "urn:…:enterprise:2.0:User:department": "R&D"}}',
    read: (value: JsonObject): ReadonlyArray<readonly [path: string, value: JsonValue]> =>
      Object.entries(value),
  }),

  /** The id, the schemas and other read-only attributes among the values without path. */
  readOnlyAmongValues: quirk({
    clients: ['Okta', 'authentik'],
    source:
      'developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20 (update a group name); goauthentik/authentik providers/scim/clients/groups.py',
    sends: '{"op": "replace", "value": {"id": "…", "schemas": […], "displayName": "Tour guides"}}',
    read: (isReadOnly: boolean, isNamedByPath: boolean): 'ignore' | 'refuse' | 'apply' => {
      if (!isReadOnly) return 'apply';
      return isNamedByPath ? 'refuse' : 'ignore';
    },
  }),

  /** Paths and names of extensions that the resource type does not have. */
  unservedExtensions: quirk({
    clients: ['Ping', 'Entra ID'],
    source:
      'developer.pingidentity.com/p14e-directory-api/update-resource.html (urn:scim:schemas:com_pingone:1.0)',
    sends: '{"op": "replace", "value": {"urn:scim:schemas:com_pingone:1.0": {…}, "title": "Lead"}}',
    read: (isServed: boolean): 'ignore' | 'apply' => (isServed ? 'apply' : 'ignore'),
  }),

  /** A list of values to remove in place of a value path. */
  removalByValue: quirk({
    clients: ['Entra ID without aadOptscim062020', 'authentik', 'JumpCloud'],
    source: `${ENTRA_FLAG}; goauthentik/authentik #23798; scim-patch #959; app.uni-moni.com/en/kb/sso-setup-jumpcloud`,
    sends: '{"op": "Remove", "path": "members", "value": [{"value": "2819c223"}]}',
    read: (value: JsonValue | undefined): 'all' | 'these' =>
      value === undefined || value === null ? 'all' : 'these',
  }),

  /** A value path that matches no element, and means that there shall be one. */
  valuePathCreates: quirk({
    clients: ['Entra ID', "Microsoft's SCIM Validator"],
    source: `${ENTRA_GUIDE}; SCIM-SDK #416; scim-for-keycloak #73; RFC 7644, section 3.5.2.3, has noTarget`,
    sends: '{"op": "Add", "path": "emails[type eq \\"work\\"].value", "value": "ann@example.com"}',
    read: elementOf,
  }),
} as const;

function quirk<const Read>(definition: Quirk<Read>): Quirk<Read> {
  return definition;
}

/** The role and its name in a text of JSON; undefined for a text that is not in JSON. */
function roleOf(
  text: string,
): { readonly value: string; readonly display?: string } | null | undefined {
  if (!/^\s*[{["]/.test(text)) return undefined;
  try {
    const role = JSON.parse(text) as JsonValue;
    if (!isObject(role)) return null;
    const { value, displayName } = role;
    if (typeof value !== 'string' || value.trim() === '' || roleOf(value) !== undefined)
      return null;
    return typeof displayName === 'string' ? { value, display: displayName } : { value };
  } catch {
    return null;
  }
}

/**
 * The element that a filter of `eq` terms describes, joined by `and`; null for any other filter, and for terms that
 * contradict each other.
 */
function elementOf(filter: Filter): JsonObject | null {
  if (filter.kind === 'and') {
    const parts = filter.filters.map(elementOf);
    return parts.reduce((all, part) => (all && part ? join(all, part) : null), {});
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === null) return null;
  const name = filter.path.subAttribute?.name ?? 'value';
  return { [name]: filter.value };
}

function join(all: JsonObject, part: JsonObject): JsonObject | null {
  const contradicts = Object.entries(part).some(
    ([name, value]) => Object.hasOwn(all, name) && all[name] !== value,
  );
  return contradicts ? null : { ...all, ...part };
}
