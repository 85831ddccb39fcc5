import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../src/index.ts';
import {
  GROUP,
  matches,
  parseFilter,
  parseFilterAcross,
  printFilter,
  RESOURCE_TYPES,
  USER,
} from '../../src/index.ts';
import { bodiesOf, filtersOf } from './filters.ts';

const BABS: JsonObject = { id: '1', userName: 'bjensen', displayName: 'Babs', active: true };
const GUIDES: JsonObject = { id: '2', displayName: 'Tour Guides', members: [{ value: '1' }] };

/** Filters of a search over users and groups, by what they find. */
const FOUND: Readonly<Record<string, string>> = {
  'displayName sw "b" or displayName sw "t"': '1 2',
  'userName eq "bjensen" or displayName eq "tour guides"': '1 2',
  'userName eq "bjensen"': '1',
  'members[value eq "1"]': '2',
  'members.value eq "1" or active eq true': '1 2',
  'userName eq "bjensen" and members pr': '',
  'not (userName eq "bjensen")': '2',
  'userName ne "bjensen"': '2',
  'userName eq null': '2',
  'userName ne null': '1',
  'members eq null and userName pr': '1',
  'active ne true and emails co ""': '',
  'userName lt "z"': '1',
  'not (members[type eq "User"])': '1 2',
  'id eq "2"': '2',
  'urn:ietf:params:scim:schemas:core:2.0:Group:members pr': '2',
  'urn:ietf:params:scim:schemas:core:2.0:Group:displayName pr': '2',
};

for (const [text, expected] of Object.entries(FOUND)) {
  test(`a search over users and groups by ${text} finds ${expected || 'nothing'}`, () => {
    const user = matches(parseFilterAcross(text, USER, RESOURCE_TYPES), BABS);
    const group = matches(parseFilterAcross(text, GROUP, RESOURCE_TYPES), GUIDES);
    assert.equal([...(user ? ['1'] : []), ...(group ? ['2'] : [])].join(' '), expected);
  });
}

test('a filter of one type finds the same in a search over all, and is refused alike', () => {
  for (const type of RESOURCE_TYPES) {
    fc.assert(
      fc.property(filtersOf(type), bodiesOf(type), (filter, body) => {
        const text = printFilter(filter);
        const limits = { maxLength: 1e6, maxTerms: 1e6, maxDepth: 1e6 };
        const across = parseFilterAcross(text, type, RESOURCE_TYPES, limits);
        assert.deepEqual(across, parseFilter(text, type, limits));
        assert.equal(matches(across, body), matches(filter, body));
      }),
    );
  }
});

test('a search over all types refuses what one type refuses', () => {
  const refused = ['foo eq "x"', 'userName eq', 'active gt true', 'password pr', 'x'.repeat(5_000)];
  for (const text of refused) {
    for (const type of RESOURCE_TYPES) {
      assert.throws(() => parseFilterAcross(text, type, RESOURCE_TYPES), {
        reason: 'invalidFilter',
      });
    }
  }
});
