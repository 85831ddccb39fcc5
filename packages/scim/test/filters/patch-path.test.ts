import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PatchPath, ResourceTypeDefinition } from '../../src/index.ts';
import { GROUP, parsePatchPath, printFilter, USER } from '../../src/index.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const SERVICE = 'urn:service:params:scim:schemas:extension:1.0';

/** A path as text: the attribute, the filter within brackets, the sub-attribute. */
function textOf({ path, valueFilter, sub }: PatchPath): string {
  if (!('attribute' in path)) return `<${path.extension}>`;
  assert.equal(path.subAttribute, sub);
  const prefix = path.extension === null ? '' : `${path.extension}:`;
  const filter = valueFilter ? `{${printFilter(valueFilter)}}` : '';
  return prefix + path.attribute.name + filter + (sub ? `.${sub.name}` : '');
}

const PATHS: ReadonlyArray<readonly [string, string]> = [
  ['active', 'active'],
  ['ACTIVE', 'active'],
  [' active ', 'active'],
  ['name', 'name'],
  ['name.givenname', 'name.givenName'],
  ['emails', 'emails'],
  ['emails.value', 'emails.value'],
  ['emails[type eq "work"]', 'emails{emails.type eq "work"}'],
  ['emails[type eq "work"].value', 'emails{emails.type eq "work"}.value'],
  ['Emails[Type EQ "work"].VALUE', 'emails{emails.type eq "work"}.value'],
  ['emails[primary eq "True"].type', 'emails{emails.primary eq true}.type'],
  [
    'phoneNumbers[type eq "fax" and primary eq true].value',
    'phoneNumbers{phoneNumbers.type eq "fax" and phoneNumbers.primary eq true}.value',
  ],
  ['addresses[type eq "work"].postalCode', 'addresses{addresses.type eq "work"}.postalCode'],
  ['roles[primary eq "True"].value', 'roles{roles.primary eq true}.value'],
  [`${ENTERPRISE}:department`, `${ENTERPRISE}:department`],
  [`${ENTERPRISE}:manager`, `${ENTERPRISE}:manager`],
  [`${ENTERPRISE}:manager.value`, `${ENTERPRISE}:manager.value`],
  [`${ENTERPRISE.toLowerCase()}:EmployeeNumber`, `${ENTERPRISE}:employeeNumber`],
  [ENTERPRISE, `<${ENTERPRISE}>`],
  [ENTERPRISE.toUpperCase(), `<${ENTERPRISE}>`],
  [` ${ENTERPRISE} `, `<${ENTERPRISE}>`],
  [SERVICE, `<${SERVICE}>`],
  [`${SERVICE}:roles`, `${SERVICE}:roles`],
  [`${SERVICE}:roles[value eq "admin"]`, `${SERVICE}:roles{${SERVICE}:roles eq "admin"}`],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName', 'userName'],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value',
    'emails{emails.type eq "work"}.value',
  ],
  ['password', 'password'],
  ['id', 'id'],
];

for (const [text, expected] of PATHS) {
  test(`the PATCH path ${JSON.stringify(text)} names an attribute of a user`, () => {
    assert.equal(textOf(parsePatchPath(text, USER)), expected);
  });
}

test('PATCH paths of groups name members and their sub-attributes', () => {
  assert.equal(textOf(parsePatchPath('members', GROUP)), 'members');
  const path = parsePatchPath('members[value eq "a" or value eq "b"]', GROUP);
  assert.equal(textOf(path), 'members{members.value eq "a" or members.value eq "b"}');
});

const REFUSED: ReadonlyArray<readonly [ResourceTypeDefinition, string, string, RegExp]> = [
  [USER, '', 'invalidPath', /"" is not the path of an attribute of User/],
  [USER, 'foo', 'invalidPath', /"foo" is not the path/],
  [USER, 'emails.foo', 'invalidPath', /"emails.foo" is not the path/],
  [USER, `${ENTERPRISE}.manager`, 'invalidPath', /is not the path of an attribute of User/],
  [USER, `${ENTERPRISE}:`, 'invalidPath', /is not the path/],
  [USER, 'urn:other:extension', 'invalidPath', /is not the path/],
  [USER, 'members', 'invalidPath', /"members" is not the path of an attribute of User/],
  [GROUP, ENTERPRISE, 'invalidPath', /of Group/],
  [USER, 'emails[type eq "work"].foo', 'invalidPath', /is not the path/],
  [USER, 'emails[type eq "work"]value', 'invalidPath', /is not the path/],
  [USER, 'emails[type eq "work"].value.x', 'invalidPath', /is not the path/],
  [USER, 'emails[type eq "work"] and title', 'invalidFilter', /its end/],
  [USER, 'emails[type eq "work"', 'invalidFilter', /"\]" instead of the end/],
  [USER, 'emails[type eq "work]', 'invalidFilter', /quote is not closed/],
  [USER, 'emails[foo eq "work"]', 'invalidFilter', /emails has no sub-attribute "foo"/],
  [USER, 'emails[]', 'invalidFilter', /an attribute/],
  [USER, 'emails[0].value', 'invalidFilter', /no sub-attribute "0"/],
  [USER, 'name[familyName eq "x"].givenName', 'invalidPath', /name does not have several values/],
  [USER, 'userName[value eq "x"]', 'invalidPath', /userName does not have several values/],
  [USER, 'emails.value[value eq "x"]', 'invalidPath', /emails.value does not have several values/],
  [USER, 'userName eq "x"', 'invalidPath', /userName does not have several values/],
  [USER, '[type eq "work"]', 'invalidPath', /is not the path/],
  [USER, 'x'.repeat(5_000), 'invalidPath', /longer than 4096 characters/],
];

for (const [type, text, reason, message] of REFUSED) {
  test(`the PATCH path ${text.slice(0, 80)} of a ${type.name} is refused as ${reason}`, () => {
    assert.throws(() => parsePatchPath(text, type), { kind: 'invalid_request', reason, message });
  });
}
