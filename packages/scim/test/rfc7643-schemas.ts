/** Characteristics of attributes by path, in the order of RFC 7643, section 7, then canonical values and reference types. */
type Declared = Readonly<Record<string, string>>;

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const TEXT = 'string single optional folded readWrite default none';
const EXACT = 'string single optional exact readWrite default none';
const FLAG = 'boolean single optional folded readWrite default none';
const COMPLEX = 'complex single optional folded readWrite default none';
const PLURAL = 'complex multi optional folded readWrite default none';
const READ_ONLY = 'string single optional folded readOnly default none';
const IMMUTABLE = 'string single optional folded immutable default none';

function texts(...names: readonly string[]): Declared {
  return Object.fromEntries(names.map((name) => [name, TEXT]));
}

/** An attribute with `value`, `display`, `type` and `primary`. */
function plural(name: string, types = ''): Declared {
  return {
    [name]: PLURAL,
    [`${name}.value`]: TEXT,
    [`${name}.display`]: TEXT,
    [`${name}.type`]: `${TEXT}${types && ` ${types}`}`,
    [`${name}.primary`]: FLAG,
  };
}

const reference = (types: string, mutability = 'readWrite') =>
  `reference single optional folded ${mutability} default none ${types}`;

/** The schemas of RFC 7643, section 8.7.1. */
export const SECTION_8_7_1: Readonly<Record<string, Declared>> = {
  [USER]: {
    userName: 'string single required folded readWrite default server',
    name: COMPLEX,
    ...texts('name.formatted', 'name.familyName', 'name.givenName', 'name.middleName'),
    ...texts('name.honorificPrefix', 'name.honorificSuffix', 'displayName', 'nickName'),
    profileUrl: reference('external'),
    ...texts('title', 'userType', 'preferredLanguage', 'locale', 'timezone'),
    active: FLAG,
    password: 'string single optional folded writeOnly never none',
    ...plural('emails', 'work home other'),
    ...plural('phoneNumbers', 'work home mobile fax pager other'),
    ...plural('ims', 'aim gtalk icq xmpp msn skype qq yahoo'),
    ...plural('photos', 'photo thumbnail'),
    'photos.value': reference('external'),
    addresses: PLURAL,
    ...texts('addresses.formatted', 'addresses.streetAddress', 'addresses.locality'),
    ...texts('addresses.region', 'addresses.postalCode', 'addresses.country'),
    'addresses.type': `${TEXT} work home other`,
    groups: 'complex multi optional folded readOnly default none',
    'groups.value': READ_ONLY,
    'groups.$ref': reference('User Group', 'readOnly'),
    'groups.display': READ_ONLY,
    'groups.type': `${READ_ONLY} direct indirect`,
    ...plural('entitlements'),
    ...plural('roles'),
    ...plural('x509Certificates'),
    'x509Certificates.value': 'binary single optional folded readWrite default none',
  },
  [GROUP]: {
    displayName: TEXT,
    members: PLURAL,
    'members.value': IMMUTABLE,
    'members.$ref': reference('User Group', 'immutable'),
    'members.type': `${IMMUTABLE} User Group`,
  },
  [ENTERPRISE]: {
    ...texts('employeeNumber', 'costCenter', 'organization', 'division', 'department'),
    manager: COMPLEX,
    'manager.value': TEXT,
    'manager.$ref': reference('User'),
    'manager.displayName': READ_ONLY,
  },
};

const exactReference = (types: string, mutability = 'readWrite') =>
  `reference single optional exact ${mutability} default none ${types}`;

/** What is declared otherwise: docs/decisions/scim-filters.md, "In what do the schemas differ from RFC 7643". */
export const DEVIATIONS: Readonly<Record<string, Declared>> = {
  [USER]: {
    externalId: EXACT,
    emails: 'complex multi required folded readWrite default none',
    'emails.value': 'string single required folded readWrite default none',
    'addresses.display': TEXT,
    'addresses.primary': FLAG,
    // Passwords, ids, URIs and certificates are told apart by case.
    password: 'string single optional exact writeOnly never none',
    profileUrl: exactReference('external'),
    'photos.value': exactReference('external'),
    'groups.value': 'string single optional exact readOnly default none',
    // `groups` of a user are groups.
    'groups.$ref': exactReference('Group', 'readOnly'),
    'x509Certificates.value': 'binary single optional exact readWrite default none',
  },
  [GROUP]: {
    externalId: EXACT,
    displayName: 'string single required folded readWrite default server',
    'members.value': 'string single optional exact immutable default none',
    'members.$ref': exactReference('User Group', 'immutable'),
    'members.display': READ_ONLY,
  },
  [ENTERPRISE]: {
    'manager.value': EXACT,
    'manager.$ref': exactReference('User'),
  },
};
