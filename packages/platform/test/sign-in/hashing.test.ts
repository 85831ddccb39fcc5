import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPasswords, PASSWORD_COST } from '../../src/sign-in/passwords.ts';
import { testPasswords } from '../support.ts';

test('a password hash contains salt and cost, and matches only its password', async () => {
  const passwords = createPasswords();
  assert.deepEqual(PASSWORD_COST, { logN: 15, r: 8, p: 3 });
  const stored = await passwords.hash('grün wie der Öresund 7');
  assert.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await passwords.verify('grün wie der Öresund 7', stored), true);
  assert.equal(await passwords.verify('grun wie der Oresund 7', stored), false);
  assert.notEqual(await passwords.hash('grün wie der Öresund 7'), stored);
});

test('a password hash of another cost is verified at that cost and reported as outdated', async () => {
  const former = createPasswords({ cost: { logN: 5, r: 8, p: 1 } });
  const stored = await former.hash('correct horse');
  const passwords = testPasswords();
  assert.equal(await passwords.verify('correct horse', stored), true);
  assert.equal(await passwords.verify('correct house', stored), false);
  assert.equal(passwords.isOutdated(stored), true);
  assert.equal(former.isOutdated(stored), false);
});

test('the scrypt vector of RFC 7914, section 12, is verified', async () => {
  const hash = Buffer.from(
    'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162' +
      '2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    'hex',
  );
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const first = hash.subarray(0, 32);
  const stored = `$scrypt$ln=10,r=8,p=16$${unpadded(Buffer.from('NaCl'))}$${unpadded(first)}`;
  assert.equal(await testPasswords().verify('password', stored), true);
  assert.equal(await testPasswords().verify('passwort', stored), false);
});

test('a password matches its hash in any Unicode form, and no password matches a missing hash', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (password) => {
      const passwords = testPasswords();
      const stored = await passwords.hash(password.normalize('NFD'));
      assert.equal(await passwords.verify(password.normalize('NFC'), stored), true);
      assert.equal(await passwords.verify(`${password}x`, stored), false);
      assert.equal(await passwords.verify(password, null), false);
    }),
    { numRuns: 50 },
  ));

test('an unreadable stored hash is an error, not a wrong password', async () => {
  for (const stored of ['', 'plain', '$scrypt$ln=4,r=8,p=1$c2FsdA$c2hvcnQ']) {
    await assert.rejects(testPasswords().verify('x', stored), /not readable/);
  }
});

test('hashes beyond the waiting limit are refused, and the others complete', async () => {
  const passwords = testPasswords();
  const results = await Promise.allSettled(
    Array.from({ length: 70 }, () => passwords.hash('correct horse')),
  );
  const refused = results.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 70 - 2 - 64);
  for (const each of refused) {
    assert.equal((each as PromiseRejectedResult).reason.kind, 'unavailable');
  }
  assert.equal((await passwords.hash('afterwards')).startsWith('$scrypt$'), true);
});
