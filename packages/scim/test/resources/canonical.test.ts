import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbityError } from '@probity/core';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { toGroupBody, toUserBody } from '../../src/resources/body.ts';
import { toGroupInput, toUserInput } from '../../src/resources/input.ts';
import { USER } from '../../src/schemas/resource-types.ts';
import { ENTERPRISE, SERVICE } from '../patch/people.ts';

const names = USER.schema.attributes.map(({ name }) => name);
const subNames = [
  'value',
  'VALUE',
  'type',
  'primary',
  'display',
  'givenName',
  'department',
  'manager',
  'roles',
];

const scalar = fc.oneof(
  fc.constantFrom<unknown>('', null, true, false, 'True', 'false', 'work', 7),
  fc.string({ maxLength: 3 }),
);
const object = fc.dictionary(fc.constantFrom(...subNames), scalar, { maxKeys: 4 });
const value = fc.oneof(scalar, object, fc.array(fc.oneof(scalar, object), { maxLength: 3 }));
const bodies = fc
  .dictionary(
    fc.constantFrom(...names, 'TITLE', ENTERPRISE, SERVICE, '__proto__', 'constructor'),
    value,
    { maxKeys: 6 },
  )
  .map((body) => ({ emails: ['ann@example.com'], ...body, userName: 'ann@example.com' }));

const stored = {
  id: 'u1',
  organizationId: 'org_1',
  version: 1,
  createdAt: new Date(0),
  lastModifiedAt: new Date(0),
};

test('a user that was read from any body is read the same from the body that is sent', () => {
  let accepted = 0;
  fc.assert(
    fc.property(bodies, (body) => {
      const input = accept(() => toUserInput(body));
      if (!input) return;
      accepted += 1;
      const active = input.active ?? true;
      const sent = toUserBody({ ...stored, ...input, active, accountId: null }, [], 'https://x');
      assert.deepEqual(toUserInput(JSON.parse(JSON.stringify(sent))), { ...input, active });
    }),
    { numRuns: roundsOf(3_000) },
  );
  assert.ok(accepted > roundsOf(300), String(accepted));
});

test('any JSON as a body of a user or a group is read or refused by an error of SCIM', () => {
  const keys = fc.constantFrom(
    'userName',
    'displayName',
    'members',
    'emails',
    'active',
    ENTERPRISE,
  );
  const any = fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 })));
  fc.assert(
    fc.property(any, (body) => {
      accept(() => toUserInput(body));
      const group = accept(() => toGroupInput(body));
      if (!group) return;
      const members = (group.members ?? []).map(
        (id) => ({ id, type: 'User', display: null }) as const,
      );
      const sent = toGroupBody({ ...stored, ...group }, members, 'https://x');
      assert.deepEqual(toGroupInput(sent), { ...group, members: group.members ?? [] });
    }),
    { numRuns: roundsOf(2_000) },
  );
});

function accept<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof ProbityError && error.reason !== undefined, String(error));
    return null;
  }
}
