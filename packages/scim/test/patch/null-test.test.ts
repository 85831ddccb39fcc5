import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/schemas/types.ts';
import { ENTERPRISE, patched, userOf } from './people.ts';

test('the Entra gallery\'s null test empties every optional attribute, by "" and by null', () => {
  const full: JsonObject = {
    displayName: 'a',
    title: 'b',
    name: { givenName: 'c', familyName: 'd', formatted: 'e' },
    addresses: [{ type: 'work', formatted: 'f', country: 'g' }],
    phoneNumbers: [
      { type: 'work', value: '1' },
      { type: 'fax', value: '2', primary: true },
    ],
    [ENTERPRISE]: { department: 'h', manager: { value: 'i' } },
  };
  const paths = [
    'displayName',
    'title',
    'externalId',
    'name.givenName',
    'name.familyName',
    'name.formatted',
    'addresses[type eq "work"].formatted',
    'addresses[type eq "work"].country',
    'phoneNumbers[type eq "work"].value',
    'phoneNumbers[type eq "fax"].value',
    `${ENTERPRISE}:department`,
    `${ENTERPRISE}:manager`,
  ];
  for (const value of ['', null]) {
    const operations = paths.map((path) => ({ op: 'Replace', path, value }));
    const { attributes, externalId } = patched(userOf(full), ...operations);
    assert.deepEqual(attributes, userOf().attributes);
    assert.equal(externalId, null);
  }
});
