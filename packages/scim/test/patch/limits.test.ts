import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import { MAX_PATCH_OPERATIONS } from '../../src/bulk/limits.ts';
import { parsePatch } from '../../src/patch/parse.ts';
import { toGroupInput, toUserInput } from '../../src/resources/input.ts';
import { USER } from '../../src/schemas/resource-types.ts';
import type { JsonValue } from '../../src/schemas/types.ts';
import { memberChanges, patched, refusal, userOf } from './people.ts';

const MAX_CPU_MS = 500;

const words = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
const full = userOf({ ims: words.map((value) => ({ value, type: value })) });
const terms = words.slice(0, 90).map((word) => `type ne "${word}"`);

/** As many operations as a PATCH may have. */
function operations(of: (word: string, index: number) => unknown): readonly unknown[] {
  return words.slice(0, MAX_PATCH_OPERATIONS).map(of);
}

/** Names of a value without path, made before the time is measured. */
function named(length: number, of: (index: number) => string) {
  return Object.fromEntries(Array.from({ length }, (_, index) => [of(index), 'x']));
}
const valuePaths = named(1_000, (index) => `ims[type eq "${index}"].value`);
const unknownNames = named(20_000, (index) => `k${index}`);

const manyValues = Array.from({ length: 100_000 }, (_, index) => ({ value: `x${index}` }));

function tenNames(value: string) {
  const names = ['title', 'nickName', 'displayName', 'userType', 'locale', 'timezone'];
  const ofName = ['givenName', 'familyName', 'middleName', 'formatted'].map((sub) => `name.${sub}`);
  return Object.fromEntries([...names, ...ofName].map((name) => [name, value]));
}

function nested(depth: number): JsonValue {
  return depth === 0 ? 'x' : { a: [nested(depth - 1)] };
}

/** Requests that take much time if it is not bounded, and the scimType of their refusal. */
const hostile: ReadonlyArray<readonly [string, () => unknown, string]> = [
  [
    '500 additions to 1,000 values',
    () =>
      patched(
        full,
        ...operations((value) => ({ op: 'add', path: 'ims', value: [{ value: `${value}+` }] })),
      ),
    'invalidValue',
  ],
  [
    '500 additions of the primary one of 1,000 values',
    () =>
      patched(
        userOf({ addresses: words.map((streetAddress) => ({ streetAddress })) }),
        ...operations((streetAddress) => ({
          op: 'add',
          path: 'addresses',
          value: [{ streetAddress: `${streetAddress}+`, primary: true }],
        })),
      ),
    'tooMany',
  ],
  [
    '500 additions of 100 values',
    () =>
      patched(
        full,
        ...operations((value) => ({
          op: 'add',
          path: 'ims',
          value: words.slice(0, 100).map((word) => ({ value: `${word}${value}` })),
        })),
      ),
    'tooMany',
  ],
  [
    '500 values of ten attributes',
    () => patched(full, ...operations((value) => ({ op: 'add', value: tenNames(value) }))),
    'tooMany',
  ],
  [
    'a removal of 100,000 values',
    () => patched(full, { op: 'remove', path: 'ims', value: manyValues }),
    'invalidValue',
  ],
  [
    '500 removals from 1,000 values',
    () =>
      patched(
        full,
        ...operations((value) => ({ op: 'remove', path: 'ims', value: [{ value: `${value}.` }] })),
      ),
    'tooMany',
  ],
  [
    '500 filters over 1,000 values',
    () =>
      patched(
        full,
        ...operations((value) => ({ op: 'add', path: `ims[type eq "${value}"].display`, value })),
      ),
    'tooMany',
  ],
  [
    '500 different filters of 90 terms',
    () =>
      patched(
        full,
        ...operations((value) => ({
          op: 'remove',
          path: `ims[${terms.join(' and ')} and value eq "${value}"]`,
        })),
      ),
    'invalidPath',
  ],
  [
    'a path of 60 KB',
    () =>
      patched(full, { op: 'remove', path: `ims[${'type eq "a" or '.repeat(4_000)}type eq "b"]` }),
    'invalidPath',
  ],
  [
    '10,000 brackets',
    () => patched(full, { op: 'remove', path: `ims[${'('.repeat(10_000)}` }),
    'invalidPath',
  ],
  [
    '1,000 value paths as names',
    () => patched(full, { op: 'add', value: valuePaths }),
    'invalidPath',
  ],
  ['20,000 unknown names', () => patched(full, { op: 'add', value: unknownNames }), 'tooMany'],
  [
    '501 operations',
    () => patched(full, ...Array.from({ length: 501 }, () => ({ op: 'remove', path: 'title' }))),
    'invalidValue',
  ],
  [
    '1,000 operations',
    () => patched(full, ...words.map((value) => ({ op: 'replace', path: 'title', value }))),
    'invalidValue',
  ],
  [
    'deep JSON',
    () => toUserInput({ userName: nested(60), emails: nested(60), name: nested(60) }),
    'invalidValue',
  ],
  [
    '100,000 e-mails',
    () => toUserInput({ userName: 'a@b', emails: Array.from({ length: 100_000 }, () => 'x') }),
    'invalidValue',
  ],
  [
    '1,000 values that are added in several requests',
    () => patched(full, { op: 'add', path: 'ims', value: [{ value: 'one more' }] }),
    'invalidValue',
  ],
  ['no operation', () => parsePatch({ Operations: [] }, USER), 'invalidSyntax'],
  ['Operations that are no list', () => parsePatch({ Operations: {} }, USER), 'invalidSyntax'],
  ['an operation that is no object', () => patched(full, 'add'), 'invalidSyntax'],
];

for (const [what, work, scimType] of hostile) {
  test(`a request with ${what} is refused in little CPU time`, async () => {
    assert.equal(refusal(work).scimType, scimType);
    await assertFast(() => refusal(work));
  });
}

test('500 operations on a user, and on members of a group, are applied in little CPU time', async () => {
  const titles = operations((value) => ({ op: 'Replace', path: 'title', value }));
  assert.equal(patched(full, ...titles).attributes.title, 'v499');
  await assertFast(() => patched(full, ...titles));
  const members = operations((value) => ({ op: 'remove', path: `members[value eq "${value}"]` }));
  assert.deepEqual(memberChanges(...members), [{ kind: 'remove', ids: words.slice(0, 500) }]);
  await assertFast(() => memberChanges(...members));
});

test('500 operations add 500 values, one operation 1,000 members', async () => {
  const additions = operations((value) => ({ op: 'add', path: 'ims', value: [{ value }] }));
  assert.equal((patched(userOf(), ...additions).attributes.ims as unknown[]).length, 500);
  await assertFast(() => patched(userOf(), ...additions));
  const members = { op: 'Add', path: 'members', value: words.map((value) => ({ value })) };
  assert.deepEqual(memberChanges(members), [{ kind: 'add', ids: words }]);
});

test('removals of members by several filters read the members once', () => {
  const removals = ['a', 'b'].map((name) => ({
    op: 'remove',
    path: `members[display eq "${name}"]`,
  }));
  const changes = memberChanges(...removals);
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ['removeMatching'],
  );
});

test('a group of 10,000 members is read in little CPU time', async () => {
  const members = Array.from({ length: 10_000 }, (_, index) => ({ value: `u${index}` }));
  assert.equal(toGroupInput({ displayName: 'A', members }).members?.length, 10_000);
  await assertFast(() => toGroupInput({ displayName: 'A', members }));
});

function assertFast(work: () => unknown): Promise<void> {
  return assertCpuBelow(MAX_CPU_MS, work);
}
