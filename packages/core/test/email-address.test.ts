import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow, DIRECTORY_ADDRESSES } from '@probity/test-support';
import { isEmailAddress, mailboxKey } from '../src/email-address.ts';
import { emailText } from '../src/http/schemas.ts';
import { parseMailFrom } from '../src/settings.ts';

const addresses = [...DIRECTORY_ADDRESSES, 'x@1.example.com', `${'a'.repeat(242)}@example.com`];

for (const address of addresses) {
  test(`${address.slice(0, 60)} is an e-mail address for members, sign-in and mails`, () => {
    assert.equal(isEmailAddress(address), true);
    assert.equal(emailText.parse(address), address);
    assert.equal(parseMailFrom(address), address);
  });
}

const refused: ReadonlyArray<readonly [string, string]> = [
  ['an empty text', ''],
  ['no at sign', 'ann'],
  ['no local part', '@example.com'],
  ['no domain', 'ann@'],
  ['two at signs', 'ann@lee@example.com'],
  ['a space', 'ann lee@example.com'],
  ['a no-break space', 'ann\u00a0lee@example.com'],
  ['a line break', 'ann@example.com\nBcc: eve@example.com'],
  ['a line break in the local part', 'ann\r\nBcc:eve@example.com'],
  ['a display name', 'Ann <ann@example.com>'],
  ['a list', 'ann@example.com,eve@example.com'],
  ['quotes', '"ann"@example.com'],
  ['an empty label', 'ann@example..com'],
  ['a dot at the end', 'ann@example.com.'],
  ['a label that begins with a hyphen', 'ann@-example.com'],
  ['a label of 64 characters', `ann@${'a'.repeat(64)}.com`],
  ['an address of a network', 'ann@[192.0.2.1]'],
  ['a mark that changes the direction', 'ann\u202e@example.com'],
  ['U+0000', 'ann\0@example.com'],
  ['a lone surrogate', 'ann\ud800@example.com'],
  ['255 characters', `${'a'.repeat(243)}@example.com`],
];

for (const [what, text] of refused) {
  test(`a text with ${what} is no e-mail address`, () => {
    assert.equal(isEmailAddress(text), false);
    assert.equal(emailText.safeParse(text).success, false);
  });
}

test('checking a hostile e-mail address takes linear time', async () => {
  const text = `${'a.'.repeat(500_000)}@${'a.'.repeat(500_000)}`;
  await assertCpuBelow(500, () => isEmailAddress(text));
});

test('a mailbox has one key in all its writings', () => {
  const writings = [
    'r\u00e9ne@b\u00fccher.example',
    're\u0301ne@bu\u0308cher.example',
    'R\u00c9NE@xn--bcher-kva.example',
    'r\u00e9ne@XN--BCHER-KVA.example',
  ];
  assert.deepEqual(new Set(writings.map(mailboxKey)), new Set(['r\u00e9ne@b\u00fccher.example']));
  assert.equal(mailboxKey('Ann@Example.com'), 'ann@example.com');
  assert.equal(mailboxKey('user_1@corp_x'), 'user_1@corp_x');
  assert.equal(mailboxKey('J\u030c@example.com'), mailboxKey('\u01f0@example.com'));
  assert.equal(mailboxKey('007'), '007');
  assert.notEqual(mailboxKey('rene@example.com'), mailboxKey('r\u00e9ne@example.com'));
});
