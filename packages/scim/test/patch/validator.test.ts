import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../src/schemas/types.ts';
import { ENTERPRISE, patched, userOf } from './people.ts';

/** The attributes that Microsoft's SCIM Validator replaces in one request, with random words as values. */
const replaced: ReadonlyArray<readonly [path: string, value: JsonValue]> = [
  ['emails[type eq "work"].value', 'tierra@mills.example'],
  ['emails[type eq "work"].primary', true],
  ['name.givenName', 'Kailyn'],
  ['name.familyName', 'Jodie'],
  ['name.formatted', 'Ardith'],
  ['name.middleName', 'Tyrel'],
  ['name.honorificPrefix', 'Wilmer'],
  ['name.honorificSuffix', 'Rosetta'],
  ['displayName', 'ZHDBWQBTHBWC'],
  ['nickName', 'VWWZUVFZIPSC'],
  ['title', 'QMEPQTJCTBDZ'],
  ['userType', 'IBCZRNXNGGHW'],
  ['locale', 'KFQQYCQOXOCM'],
  ['timezone', 'America/Belem'],
  ['preferredLanguage', 'zgh'],
  ['profileUrl', 'PTRYDDVLIIFF'],
  ['addresses[type eq "work"].formatted', 'WQDDNXSVLAEK'],
  ['addresses[type eq "work"].streetAddress', '9206 Yundt Heights'],
  ['addresses[type eq "work"].locality', 'HJAKBWPVWYMI'],
  ['addresses[type eq "work"].region', 'RGLNXGKRUCYQ'],
  ['addresses[type eq "work"].postalCode', 'gz61 1wm'],
  ['addresses[type eq "work"].country', 'Kenya'],
  ['addresses[type eq "work"].primary', true],
  ['phoneNumbers[type eq "work"].value', '86-470-8371'],
  ['phoneNumbers[type eq "work"].primary', true],
  ['phoneNumbers[type eq "mobile"].value', '86-470-8372'],
  ['phoneNumbers[type eq "fax"].value', '86-470-8373'],
  ['roles[primary eq "True"].display', 'CYPEMBMUYLWB'],
  ['roles[primary eq "True"].value', 'TZLDNDPNMKFI'],
  ['roles[primary eq "True"].type', 'JCPQXZLWDZWN'],
  [`${ENTERPRISE}:employeeNumber`, 'OCDSHCXQQUJO'],
  [`${ENTERPRISE}:department`, 'IGZMFMCTUWYU'],
  [`${ENTERPRISE}:costCenter`, 'BXRMKDPVGHHI'],
  [`${ENTERPRISE}:organization`, 'NLHXTNZLYNOE'],
  [`${ENTERPRISE}:division`, 'ZPQLXNJKRHSW'],
  [`${ENTERPRISE}:manager`, 'XKJHPQDLWNRM'],
];

const expected = {
  emails: [{ value: 'tierra@mills.example', type: 'work', primary: true }],
  name: {
    givenName: 'Kailyn',
    familyName: 'Jodie',
    formatted: 'Ardith',
    middleName: 'Tyrel',
    honorificPrefix: 'Wilmer',
    honorificSuffix: 'Rosetta',
  },
  displayName: 'ZHDBWQBTHBWC',
  nickName: 'VWWZUVFZIPSC',
  title: 'QMEPQTJCTBDZ',
  userType: 'IBCZRNXNGGHW',
  locale: 'KFQQYCQOXOCM',
  timezone: 'America/Belem',
  preferredLanguage: 'zgh',
  profileUrl: 'PTRYDDVLIIFF',
  addresses: [
    {
      formatted: 'WQDDNXSVLAEK',
      streetAddress: '9206 Yundt Heights',
      locality: 'HJAKBWPVWYMI',
      region: 'RGLNXGKRUCYQ',
      postalCode: 'gz61 1wm',
      country: 'Kenya',
      type: 'work',
      primary: true,
    },
  ],
  phoneNumbers: [
    { value: '86-470-8371', type: 'work', primary: true },
    { value: '86-470-8372', type: 'mobile' },
    { value: '86-470-8373', type: 'fax' },
  ],
  roles: [{ value: 'TZLDNDPNMKFI', display: 'CYPEMBMUYLWB', type: 'JCPQXZLWDZWN', primary: true }],
  [ENTERPRISE]: {
    employeeNumber: 'OCDSHCXQQUJO',
    department: 'IGZMFMCTUWYU',
    costCenter: 'BXRMKDPVGHHI',
    organization: 'NLHXTNZLYNOE',
    division: 'ZPQLXNJKRHSW',
    manager: { value: 'XKJHPQDLWNRM' },
  },
};

for (const [how, operations] of [
  ['by their paths', replaced.map(([path, value]) => ({ op: 'replace', path, value }))],
  ['by names of one value without path', [{ op: 'Add', value: Object.fromEntries(replaced) }]],
] as const) {
  test(`36 attributes that the SCIM Validator replaces ${how} are there afterwards`, () => {
    const { attributes } = patched(userOf(), ...operations);
    assert.deepEqual(attributes, expected);
    assert.deepEqual(patched({ ...userOf(), attributes }, ...operations).attributes, expected);
  });
}

test('what the SCIM Validator reads back stays when it sends it again with "True" for primary', () => {
  const again = replaced.map(([path, value]) => ({
    op: 'Replace',
    path,
    value: value === true ? 'True' : value,
  }));
  assert.deepEqual(patched(userOf(), ...again).attributes, expected);
});
