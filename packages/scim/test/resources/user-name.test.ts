import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUserInput } from '../../src/resources/input.ts';
import { refusal } from '../patch/people.ts';

/** Names as directories hold them; those of members and sign-in have the same rule. */
const names = [
  'ann@example.com',
  'Ann.Lee+tag@Example.COM',
  'ann_fabrikam.com#EXT#@contoso.onmicrosoft.com',
  "sean.o'neil@example.com",
  'research&development@example.com',
  'wow!@example.com',
  'sales/emea@example.com',
  'svc$backup@example.com',
  'percent%relay@example.com',
  'a=b@example.com',
  'what?@example.com',
  '{guid-4711}@example.com',
  'user@corp',
  'user@legacy_domain.example.com',
  '.leading.dot@docomo.ne.jp',
  'two..dots@docomo.ne.jp',
  'anna@münchen.de',
  'anna@xn--mnchen-3ya.de',
  '用户@例え.jp',
  'jörg@example.com',
];

for (const userName of names) {
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
