import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTORY_ADDRESSES } from '@probity/test-support';
import { toUserInput } from '../../src/resources/input.ts';
import { refusal } from '../patch/people.ts';

// Members and sign-in have the same rule.
for (const userName of DIRECTORY_ADDRESSES) {
  test(`userName ${userName} is taken as it is`, () => {
    assert.equal(toUserInput({ userName, emails: [{ value: userName }] }).userName, userName);
  });
}

for (const userName of ['bjensen', 'a b@example.com', 'a@b@c', '@corp', 'a@', 'a\n@example.com']) {
  test(`userName ${JSON.stringify(userName)} is invalidValue`, () => {
    const { scimType, detail } = refusal(() => toUserInput({ userName, emails: [{ value: 'a' }] }));
    assert.equal(scimType, 'invalidValue');
    assert.equal(detail, 'invalid user attributes: userName must be an e-mail address');
  });
}

test('a userName of more than 254 characters says so', () => {
  const userName = `${'a'.repeat(250)}@corp`;
  const { detail } = refusal(() => toUserInput({ userName, emails: [{ value: 'a' }] }));
  assert.match(detail, /userName must have at most 254 characters/);
});
