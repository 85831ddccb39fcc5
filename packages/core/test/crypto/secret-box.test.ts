import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createSecretBox,
  equalSecrets,
  hashSecret,
  parseEncryptionKey,
} from '../../src/crypto/secret-box.ts';

const purpose = 'webhook:whk_1';

test('a sealed secret opens to the original text, for any text and purpose', () => {
  const box = createSecretBox([randomBytes(32)]);
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (secret, use) => {
      assert.equal(box.open(box.seal(secret, use), use), secret);
    }),
  );
});

test('a sealed value does not contain its secret, and differs each time', () => {
  const box = createSecretBox([randomBytes(32)]);
  const [first, second] = [box.seal('whsec_abc', purpose), box.seal('whsec_abc', purpose)];
  assert.notEqual(first, second);
  assert.ok(!first.includes('whsec_abc'));
  assert.match(first, new RegExp(`^v1\\.${box.keyId}\\.[\\w-]+$`));
});

test('a sealed value that was moved to another purpose does not open', () => {
  const box = createSecretBox([randomBytes(32)]);
  const sealed = box.seal('secret', purpose);
  assert.throws(() => box.open(sealed, 'webhook:whk_2'));
});

test('a sealed value with any bit changed, or cut short, does not open', () => {
  const box = createSecretBox([randomBytes(32)]);
  const [format, id, body] = box.seal('secret', purpose).split('.');
  const bytes = Buffer.from(body as string, 'base64url');
  const open = (changed: Buffer) =>
    box.open(`${format}.${id}.${changed.toString('base64url')}`, purpose);
  assert.equal(open(bytes), 'secret');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.throws(() => open(changed), `bit ${bit}`);
  }
  for (let length = 0; length < bytes.length; length += 1) {
    assert.throws(() => open(bytes.subarray(0, length)), `length ${length}`);
  }
});

test('after a rotation old values open and new ones are sealed under the new key', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const sealed = createSecretBox([older]).seal('secret', purpose);
  const rotated = createSecretBox([newer, older]);
  assert.equal(rotated.open(sealed, purpose), 'secret');
  const resealed = rotated.seal('secret', purpose);
  assert.equal(createSecretBox([newer]).open(resealed, purpose), 'secret');
  assert.throws(() => createSecretBox([older]).open(resealed, purpose), /not configured/);
});

test('a secret box rejects a wrong number or length of keys at once', () => {
  assert.throws(() => createSecretBox([]), /at least one/);
  assert.throws(() => createSecretBox([randomBytes(32), randomBytes(31)]), /32 bytes/);
});

test('an encryption key is read from base64 with or without white space around it', () => {
  const key = randomBytes(32);
  for (const text of [
    key.toString('base64'),
    key.toString('base64url'),
    `\n${key.toString('base64')} `,
  ]) {
    assert.deepEqual(Buffer.from(parseEncryptionKey(text)), key);
  }
});

test('a bad encryption key is described, never shown', () => {
  const bad = [
    '',
    'short',
    randomBytes(31).toString('base64'),
    randomBytes(32).toString('hex'),
    `${'é'.repeat(44)}`,
  ];
  for (const text of bad) {
    assert.throws(
      () => parseEncryptionKey(text),
      (error: Error) => {
        assert.match(error.message, /must be 32 bytes in base64/);
        return text === '' || !error.message.includes(text);
      },
    );
  }
});

test('secrets are compared by value whatever their lengths, and hashed with SHA-256', () => {
  assert.equal(equalSecrets('abc', 'abc'), true);
  for (const other of ['', 'ab', 'abd', 'abcd']) assert.equal(equalSecrets('abc', other), false);
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  assert.equal(hashSecret('abc'), known);
});

test('derived keys are deterministic and differ by label and by encryption key', () => {
  const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const box = createSecretBox([first, second]);
  const hex = (label: string, of = box) =>
    of.deriveKeys(label).map(({ key }) => Buffer.from(key).toString('hex'));
  const [one, two] = hex('signing');
  assert.deepEqual(hex('signing', createSecretBox([second, first])), [two, one]);
  assert.deepEqual(hex('signing', createSecretBox([first])), [one]);
  assert.equal(new Set([...hex('signing'), ...hex('counting')]).size, 4);
  assert.ok(!hex('signing').includes(Buffer.from(first).toString('hex')));
  assert.equal(box.deriveKeys('signing')[0]?.id, box.keyId);
});
