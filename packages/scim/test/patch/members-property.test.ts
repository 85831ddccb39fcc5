import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { MemberChange } from '../../src/patch/types.ts';
import { memberChanges } from './people.ts';

const ids: fc.Arbitrary<readonly string[]> = fc.array(fc.constantFrom('u1', 'u2', 'u3', 'u4'), {
  maxLength: 3,
});

/** An operation, and the members after it. */
interface Step {
  readonly request: unknown;
  readonly after: (members: readonly string[]) => readonly string[];
}

function valuesOf(list: readonly string[]) {
  return list.map((value) => ({ value, display: value }));
}

function isNamed(list: readonly string[]) {
  return `members[${list.map((id) => `value eq "${id}"`).join(' or ')}]`;
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  ids.map(
    (list): Step => ({
      request: { op: 'Add', path: 'members', value: valuesOf(list) },
      after: (members) => [...members, ...list],
    }),
  ),
  ids.map(
    (list): Step => ({
      request: { op: 'remove', path: 'Members', value: valuesOf(list) },
      after: (members) => members.filter((id) => !list.includes(id)),
    }),
  ),
  ids
    .filter((list) => list.length > 0)
    .map(
      (list): Step => ({
        request: { op: 'Remove', path: isNamed(list) },
        after: (members) => members.filter((id) => !list.includes(id)),
      }),
    ),
  ids.map(
    (list): Step => ({
      request: { op: 'replace', value: { id: 'g1', MEMBERS: valuesOf(list) } },
      after: () => list,
    }),
  ),
  fc.constant<Step>({ request: { op: 'remove', path: 'members' }, after: () => [] }),
  fc.constant<Step>({
    request: { op: 'replace', path: 'displayName', value: 'Guides' },
    after: (members) => members,
  }),
);

/** What a storage does with a change. */
function change(members: ReadonlySet<string>, made: MemberChange): ReadonlySet<string> {
  switch (made.kind) {
    case 'add':
      return new Set([...members, ...made.ids]);
    case 'remove':
      return new Set([...members].filter((id) => !made.ids.includes(id)));
    case 'replace':
      return new Set(made.ids);
    case 'clear':
      return new Set();
    case 'removeMatching':
      throw new Error('a filter of ids is a change of ids');
  }
}

test('the changes of members by any operations leave the members that the operations name', () => {
  fc.assert(
    fc.property(ids, fc.array(steps, { minLength: 1, maxLength: 8 }), (before, list) => {
      const changes = memberChanges(...list.map(({ request }) => request));
      const expected = list.reduce<readonly string[]>(
        (members, { after }) => after(members),
        before,
      );
      const actual = changes.reduce<ReadonlySet<string>>(change, new Set(before));
      assert.deepEqual([...actual].sort(), [...new Set(expected)].sort());
    }),
    { numRuns: roundsOf(2_000) },
  );
});
