import { attribute, complex, labels, plural, reference } from './define.ts';
import type { AttributeDefinition, SchemaDefinition } from './types.ts';

/** URN of the schema of users. */
export const USER_SCHEMA_ID = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** `externalId` (RFC 7643, section 3.1), which clients look for in the schemas of users and groups. */
export const EXTERNAL_ID: AttributeDefinition = attribute(
  'externalId',
  'Identifier of the resource in the identity provider; several resources may have the same.',
  { caseExact: true },
);

/** `userName` (RFC 7643, section 4.1.1). */
export const USER_NAME: AttributeDefinition = attribute(
  'userName',
  'Name that the user signs in with, unique within the organization.',
  { required: true, uniqueness: 'server', isMailbox: true },
);

const name = complex('name', "Parts of the user's name.", [
  attribute('formatted', 'The whole name as it is shown.'),
  attribute('familyName', 'Family name.'),
  attribute('givenName', 'Given name.'),
  attribute('middleName', 'Middle names.'),
  attribute('honorificPrefix', 'Title before the name, such as "Dr.".'),
  attribute('honorificSuffix', 'Suffix after the name, such as "III".'),
]);

const addresses = complex(
  'addresses',
  'Postal addresses.',
  [
    attribute('formatted', 'The whole address as it is shown; may contain line breaks.'),
    attribute('streetAddress', 'Street and number; may contain line breaks.'),
    attribute('locality', 'City or locality.'),
    attribute('region', 'State or region.'),
    attribute('postalCode', 'Postal code.'),
    attribute('country', 'Country, as a code of ISO 3166-1 alpha-2 such as "DE".'),
    ...labels(['work', 'home', 'other']),
  ],
  { multiValued: true },
);

const READ_ONLY = { mutability: 'readOnly' } as const;

const groups = complex(
  'groups',
  'Groups that the user belongs to; changed through the groups.',
  [
    attribute('value', 'Id of the group.', { ...READ_ONLY, caseExact: true }),
    reference('$ref', 'URI of the group.', ['Group'], READ_ONLY),
    attribute('display', 'Name of the group.', READ_ONLY),
    attribute('type', 'Whether the user is a member itself or through a nested group.', {
      ...READ_ONLY,
      canonicalValues: ['direct', 'indirect'],
    }),
  ],
  { ...READ_ONLY, multiValued: true },
);

const emails = complex(
  'emails',
  'E-mail addresses.',
  [
    attribute('value', 'The e-mail address.', { required: true, isMailbox: true }),
    ...labels(['work', 'home', 'other']),
  ],
  { multiValued: true, required: true },
);

const multiValued: readonly AttributeDefinition[] = [
  emails,
  plural('phoneNumbers', 'Telephone numbers.', {
    value: 'The telephone number',
    types: ['work', 'home', 'mobile', 'fax', 'pager', 'other'],
  }),
  plural('ims', 'Addresses for instant messages.', {
    value: 'The address',
    types: ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'],
  }),
  complex(
    'photos',
    'Pictures of the user.',
    [reference('value', 'URI of the picture.', ['external']), ...labels(['photo', 'thumbnail'])],
    { multiValued: true },
  ),
  addresses,
  groups,
  plural('entitlements', 'Things that the user is entitled to.', { value: 'The entitlement' }),
  plural('roles', 'Roles of the user.', { value: 'The role' }),
  plural('x509Certificates', 'Certificates of the user.', {
    value: 'The certificate, DER in Base64',
    characteristics: { type: 'binary', caseExact: true },
  }),
];

/** The schema of users (RFC 7643, section 4.1). */
export const USER_SCHEMA: SchemaDefinition = {
  id: USER_SCHEMA_ID,
  name: 'User',
  description: 'User Account',
  attributes: [
    USER_NAME,
    EXTERNAL_ID,
    name,
    attribute('displayName', 'Name of the user as it is shown.'),
    attribute('nickName', 'Casual name of the user.'),
    reference('profileUrl', 'URI of a page about the user.', ['external']),
    attribute('title', 'Position of the user, such as "Vice President".'),
    attribute('userType', 'Relation of the user to the organization, such as "Contractor".'),
    attribute('preferredLanguage', 'Preferred written or spoken languages, such as "en-US".'),
    attribute('locale', 'Locale for dates, numbers and currencies, such as "en-US".'),
    attribute('timezone', 'Time zone of the IANA database, such as "Europe/Berlin".'),
    attribute('active', 'Whether the user has access.', { type: 'boolean' }),
    attribute('password', 'Accepted and discarded: passwords are not provisioned.', {
      mutability: 'writeOnly',
      returned: 'never',
      caseExact: true,
    }),
    ...multiValued,
  ],
};
