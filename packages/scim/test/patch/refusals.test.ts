import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTERPRISE, patched, refusal, userOf } from './people.ts';

const MANAGER = `${ENTERPRISE}:manager`;

const refusedShapes: ReadonlyArray<readonly [string, unknown, string]> = [
  ['an unknown operation', { op: 'merge', path: 'title', value: 'x' }, 'invalidSyntax'],
  ['no operation name', { path: 'title', value: 'x' }, 'invalidSyntax'],
  ['an unknown path', { op: 'replace', path: 'shoeSize', value: 'x' }, 'invalidPath'],
  ['a path that is no text', { op: 'replace', path: ['title'], value: 'x' }, 'invalidPath'],
  ['a broken path', { op: 'replace', path: 'emails[type eq "work"', value: 'x' }, 'invalidFilter'],
  [
    'an enterprise attribute after a dot',
    { op: 'add', path: `${ENTERPRISE}.manager`, value: 'x' },
    'invalidPath',
  ],
  ['the same as a name', { op: 'add', value: { [`${ENTERPRISE}.manager`]: 'x' } }, 'invalidPath'],
  [
    'an unknown attribute of a known schema',
    { op: 'add', path: `${ENTERPRISE}:x`, value: 'x' },
    'invalidPath',
  ],
  ['a removal without path', { op: 'remove', value: { title: 'x' } }, 'noTarget'],
  ['no value', { op: 'replace', path: 'title' }, 'invalidValue'],
  ['a text for a value without path', { op: 'replace', value: 'x' }, 'invalidValue'],
  ['a removal of active', { op: 'remove', path: 'active' }, 'mutability'],
  ['null for active', { op: 'replace', path: 'active', value: null }, 'invalidValue'],
  ['"" for active', { op: 'Replace', path: 'active', value: '' }, 'invalidValue'],
  ['null for active without path', { op: 'replace', value: { active: null } }, 'invalidValue'],
  ['a removal of userName', { op: 'remove', path: 'userName' }, 'mutability'],
  ['"" for userName', { op: 'replace', path: 'userName', value: '' }, 'mutability'],
  ['a removal of all e-mails', { op: 'remove', path: 'emails' }, 'mutability'],
  [
    'a userName that is no address',
    { op: 'replace', path: 'userName', value: 'ann' },
    'invalidValue',
  ],
  ['another id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
  ['groups of the user', { op: 'add', path: 'groups', value: [{ value: 'g' }] }, 'mutability'],
  [
    'the name of a manager',
    { op: 'add', path: `${MANAGER}.displayName`, value: 'x' },
    'mutability',
  ],
  [
    'a filter that describes no value',
    { op: 'replace', path: 'emails[type ne "work"].value', value: 'x' },
    'noTarget',
  ],
  [
    'a filter that contradicts itself',
    { op: 'add', path: 'ims[type eq "a" and type eq "b"].value', value: 'x' },
    'noTarget',
  ],
  [
    'a filter of alternatives',
    { op: 'add', path: 'ims[type eq "a" or type eq "b"].value', value: 'x' },
    'noTarget',
  ],
  ['a number for a text', { op: 'replace', path: 'name.givenName', value: 7 }, 'invalidValue'],
  [
    'the prototype of objects',
    { op: 'add', value: { constructor: { prototype: { x: 1 } } } },
    'invalidSyntax',
  ],
  [
    'a path to the prototype of objects as a name',
    { op: 'add', value: { '__proto__.x': 1 } },
    'invalidSyntax',
  ],
  [
    'a path to the prototype of objects',
    { op: 'add', path: '__proto__.x', value: 1 },
    'invalidPath',
  ],
  ['a text for name', { op: 'replace', path: 'name', value: 'Ann' }, 'invalidValue'],
];

for (const [what, operation, expected] of refusedShapes) {
  test(`a PATCH of a user with ${what} is ${expected} and changes nothing`, () => {
    const valid = { op: 'replace', path: 'title', value: 'Engineer' };
    assert.equal(refusal(() => patched(userOf(), valid, operation)).scimType, expected);
  });
}

const ignored: ReadonlyArray<readonly [string, unknown]> = [
  ['a password', { op: 'replace', path: 'password', value: 'secret' }],
  [
    'a path into an unknown extension',
    { op: 'add', path: 'urn:example:ext:2.0:User:badge', value: '1' },
  ],
  ['an unknown extension', { op: 'add', value: { 'urn:example:ext:2.0:User': { badge: '1' } } }],
  [
    'unknown attributes',
    { op: 'add', value: { shoeSize: 44, 'name.shoe': 1, 'shoes[type eq "a"].b': 1 } },
  ],
  [
    'names that objects have',
    { op: 'add', value: { constructor: 'x', prototype: { x: 1 }, toString: 'x' } },
  ],
  ['null added to several values', { op: 'add', path: 'emails', value: null }],
  ['a removal of what is not there', { op: 'remove', path: 'phoneNumbers[type eq "fax"]' }],
  ['a removal of an unassigned attribute', { op: 'remove', path: `${ENTERPRISE}:department` }],
];

for (const [what, operation] of ignored) {
  test(`a PATCH of a user with ${what} leaves everything as it was`, () => {
    assert.deepEqual(patched(userOf(), operation), userOf());
  });
}
