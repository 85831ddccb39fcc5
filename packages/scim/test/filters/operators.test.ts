import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributeDefinition, JsonObject, ResourceTypeDefinition } from '../../src/index.ts';
import { matches, parseFilter, USER } from '../../src/index.ts';

/** A resource type with attributes of the types that users do not have. */
const MACHINE: ReadonlyArray<AttributeDefinition> = (
  [
    ['cores', 'integer', false],
    ['load', 'decimal', false],
    ['ports', 'integer', true],
    ['serial', 'binary', false],
  ] as const
).map(([name, type, multiValued]) => ({
  ...(USER.schema.attributes[0] as AttributeDefinition),
  name,
  type,
  multiValued,
  caseExact: true,
  isMailbox: false,
}));
const TYPE: ResourceTypeDefinition = {
  ...USER,
  schema: { ...USER.schema, attributes: [...USER.schema.attributes, ...MACHINE] },
};

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const SERVICE = 'urn:service:params:scim:schemas:extension:1.0';

const BODY: JsonObject = {
  id: 'Ab',
  externalId: 'X-1',
  userName: 'BJensen@Example.com',
  displayName: 'Barbara Straße ΟΔΟΣ',
  active: true,
  profileUrl: 'https://example.com/B',
  emails: [
    { value: 'B@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home', primary: false },
    { value: 'c@example.com' },
  ],
  name: { familyName: 'Jensen' },
  groups: [],
  meta: {
    created: '2011-05-13T04:42:34.120Z',
    lastModified: '2011-05-13T06:42:34+02:00',
  },
  [ENTERPRISE]: { department: 'Tour Operations', manager: { value: 'M1', displayName: 'Ann' } },
  [SERVICE]: { roles: ['admin', 'Auditor'] },
  cores: 8,
  load: 1.5,
  ports: [80, 443],
  serial: 'QUJD',
};

/** Filters by whether the resource above matches. */
const RESULTS: Readonly<Record<string, boolean>> = {
  // Texts without case.
  'userName eq "bjensen@EXAMPLE.com"': true,
  'userName ne "bjensen@EXAMPLE.com"': false,
  'userName ne "other"': true,
  'userName co "JENSEN"': true,
  'userName co "jenson"': false,
  'userName co ""': true,
  'userName sw "bj"': true,
  'userName sw "jensen"': false,
  'userName ew ".COM"': true,
  'userName ew "jensen"': false,
  'userName gt "ajensen"': true,
  'userName gt "bjensen@example.com"': false,
  'userName ge "BJENSEN@example.com"': true,
  'userName lt "c"': true,
  'userName lt "A"': false,
  'userName le "bjensen@example.COM"': true,
  'userName pr': true,
  'displayName co "STRAße"': true,
  'displayName co "οδοσ"': true,
  'displayName ew "ΟΔΟΣ"': true,
  // Texts with case.
  'id eq "Ab"': true,
  'id eq "ab"': false,
  'externalId eq "x-1"': false,
  'externalId ne "x-1"': true,
  'externalId sw "X"': true,
  'externalId sw "x"': false,
  'externalId co "-"': true,
  'externalId gt "X"': true,
  'externalId lt "x"': true,
  // References.
  'profileUrl eq "https://example.com/B"': true,
  'profileUrl eq "https://example.com/b"': false,
  'profileUrl sw "https://"': true,
  // Booleans.
  'active eq true': true,
  'active eq false': false,
  'active ne false': true,
  'active ne true': false,
  'active eq "True"': true,
  'active eq "false"': false,
  'active eq TRUE': true,
  'active pr': true,
  'emails.primary eq "True"': true,
  'emails[primary eq false and type eq "home"]': true,
  // Times: by the instant, whatever the zone and the digits.
  'meta.lastModified eq "2011-05-13T04:42:34Z"': true,
  'meta.lastModified eq "2011-05-13T04:42:34.0000000Z"': true,
  'meta.lastModified ne "2011-05-13T04:42:34Z"': false,
  'meta.lastModified eq "2011-05-13T00:42:34-04:00"': true,
  'meta.lastModified eq "2011-05-13t04:42:34z"': true,
  'meta.lastModified eq "2011-05-13T04:42:34"': true,
  'meta.created gt "2011-05-13T04:42:34Z"': true,
  'meta.created gt "2011-05-13T04:42:34.12Z"': false,
  'meta.created ge "2011-05-13T04:42:34.1200009Z"': true,
  'meta.created lt "2011-05-13T04:42:34.121Z"': true,
  'meta.created le "2011-05-13T04:42:34.119Z"': false,
  'meta.created ge "0001-01-01T00:00:00Z"': true,
  'meta.created le "9999-12-31T23:59:59.9999999Z"': true,
  'meta.created sw "2011-05"': true,
  'meta.created co "04:42"': true,
  // Numbers.
  'cores eq 8': true,
  'cores eq 8.0': true,
  'cores ne 8': false,
  'cores gt 7': true,
  'cores gt 10': false,
  'cores ge 8': true,
  'cores lt 10': true,
  'cores le 7.9': false,
  'load eq 1.5': true,
  'load eq 15e-1': true,
  'load gt -1': true,
  'ports eq 443': true,
  'ports gt 443': false,
  'ports ne 80': true,
  // Binaries.
  'serial eq "QUJD"': true,
  'serial eq "qujd"': false,
  'serial sw "QU"': true,
  // Multi-valued: one value is enough.
  'emails eq "b@EXAMPLE.com"': true,
  'emails co "jensen.org"': true,
  'emails.value eq "b@example.com"': true,
  'emails.value ne "b@example.com"': true,
  'emails pr': true,
  'emails.type pr': true,
  'emails.display pr': false,
  'emails.display ne "x"': true,
  'emails.type eq "work" and emails.value eq "babs@jensen.org"': true,
  'emails[type eq "work" and value eq "babs@jensen.org"]': false,
  'emails[type eq "home" and value eq "babs@jensen.org"]': true,
  'emails[not (type pr)]': true,
  'emails[type eq null and value sw "c"]': true,
  'emails[type ne "work" and type ne "home"]': true,
  'groups pr': false,
  'groups eq "g"': false,
  'groups ne "g"': true,
  'groups[value ne "g"]': false,
  // Complex and extensions.
  'name pr': true,
  'name.familyName eq "jensen"': true,
  'name[familyName eq "jensen"]': true,
  'name.givenName pr': false,
  [`${ENTERPRISE}:department eq "tour operations"`]: true,
  [`${ENTERPRISE.toUpperCase()}:MANAGER.DISPLAYNAME eq "ann"`]: true,
  [`${ENTERPRISE}:manager eq "M1"`]: true,
  [`${ENTERPRISE}:manager eq "m1"`]: false,
  [`${ENTERPRISE}:costCenter pr`]: false,
  [`${SERVICE}:roles eq "ADMIN"`]: true,
  [`${SERVICE}:roles[value sw "aud"]`]: true,
  [`${SERVICE}:roles[value sw "aud" and value sw "adm"]`]: false,
  [`${SERVICE}:department pr`]: false,
  // Unassigned is null.
  'nickName eq null': true,
  'nickName ne null': false,
  'nickName pr': false,
  'nickName eq "x"': false,
  'nickName eq ""': false,
  'nickName ne "x"': true,
  'nickName co ""': false,
  'nickName gt ""': false,
  'nickName lt "x"': false,
  'userName eq null': false,
  'userName ne null': true,
  'emails eq null': false,
  'groups eq null': true,
};

for (const [filter, expected] of Object.entries(RESULTS)) {
  test(`the filter ${filter} is ${expected}`, () => {
    assert.equal(matches(parseFilter(filter, TYPE), BODY), expected);
  });
}

/** Comparisons that an attribute's type does not allow, with a part of the error's detail. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'active gt true': /gt cannot compare active, a boolean/,
  'active ge "True"': /boolean/,
  'active lt false': /boolean/,
  'active le false': /boolean/,
  'active co "ru"': /boolean/,
  'active sw "t"': /boolean/,
  'active ew "e"': /boolean/,
  'active eq "yes"': /active is compared with true or false, not "yes"/,
  'active eq 1': /true or false/,
  'serial gt "A"': /binary/,
  'x509Certificates.value lt "A"': /binary/,
  'x509Certificates ge "A"': /binary/,
  'cores co 8': /co cannot compare cores/,
  'cores eq "8"': /cores is compared with a number/,
  'load eq true': /a number/,
  'userName eq true': /userName is compared with a text in double quotes, not "true"/,
  'cores eq eight': /needs a value/,
  'cores eq 1e999': /needs a value/,
  'cores eq 0x10': /needs a value/,
  'cores eq NaN': /needs a value/,
  'active eq yes': /needs a value/,
  'userName gt null': /null can only be compared by eq and ne: userName/,
  'userName co null': /null/,
  'meta.created eq "yesterday"': /meta.created is compared with a time such as/,
  'meta.created gt "2011-02-30T00:00:00Z"': /a time such as/,
  'meta.created gt "2011-13-01T00:00:00Z"': /a time such as/,
  'meta.created gt "2011-05-13"': /a time such as/,
  'meta.created gt "2011-05-13T25:00:00Z"': /a time such as/,
  'meta.created gt "9999-12-31T23:59:59-14:00"': /a time such as/,
  'meta.created gt 5': /a time such as/,
  'name eq "x"': /name has sub-attributes: name one, such as name.formatted/,
  'addresses co "x"': /addresses has sub-attributes/,
  'meta eq "x"': /meta has sub-attributes/,
  'userName[value eq "x"]': /userName has no sub-attributes/,
  'emails.value[value eq "x"]': /emails.value has no sub-attributes/,
  [`${SERVICE}:roles[value[value eq "x"]]`]: /roles has no sub-attributes/,
  'emails[userName eq "x"]': /emails has no sub-attribute "userName"/,
  'password eq "x"': /password cannot be filtered by/,
  'password pr': /password cannot be filtered by/,
};

for (const [filter, message] of Object.entries(REFUSED)) {
  test(`the filter ${filter} is refused with the reason`, () => {
    assert.throws(() => parseFilter(filter, TYPE), {
      name: 'ProbityError',
      kind: 'invalid_request',
      reason: 'invalidFilter',
      message,
    });
  });
}
