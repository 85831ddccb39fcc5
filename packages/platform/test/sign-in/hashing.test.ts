import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Passwords } from '../../src/sign-in/passwords.ts';
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

/** Starts hashes from these addresses; resolves with the kinds of errors, null for none. */
function hashFrom(passwords: Passwords, addresses: readonly string[]): Promise<unknown[]> {
  const started = addresses.map((address) =>
    passwords.hash('correct horse', address).then(
      () => null,
      (error: { kind?: unknown }) => error.kind,
    ),
  );
  return Promise.all(started);
}

test('hashes of one address beyond its waiting limit are refused, those of others complete', async () => {
  const passwords = testPasswords();
  const flood = hashFrom(
    passwords,
    Array.from({ length: 85 }, () => '192.0.2.1'),
  );
  const others = hashFrom(passwords, ['192.0.2.2', '192.0.2.3', '2001:db8::1']);
  assert.deepEqual(await others, [null, null, null]);
  const kinds = await flood;
  assert.equal(kinds.filter((kind) => kind === null).length, 2 + 8);
  assert.equal(kinds.filter((kind) => kind === 'rate_limited').length, 75);
  const network = Array.from({ length: 20 }, (_, index) => `2001:db8::${index + 1}`);
  assert.equal((await hashFrom(passwords, network)).filter((kind) => kind === null).length, 2 + 8);
});

test('a hash of another address waits for one hash, however many of one address wait', async () => {
  const passwords = testPasswords();
  const order: string[] = [];
  const start = (address: string) => passwords.hash('x', address).then(() => order.push(address));
  const flood = Array.from({ length: 10 }, () => start('192.0.2.1'));
  await Promise.all([...flood, start('192.0.2.2')]);
  // Two are being computed, and one more may be taken before the address's turn.
  assert.ok(order.indexOf('192.0.2.2') <= 4, order.join());
});

test('hashes beyond the waiting limit of all addresses displace those of the busiest', async () => {
  const passwords = testPasswords();
  const busy = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((host) =>
    Array.from({ length: 8 }, () => `192.0.2.${host}`),
  );
  const flood = hashFrom(passwords, ['192.0.2.1', '192.0.2.1', ...busy]);
  const other = hashFrom(passwords, ['198.51.100.1']);
  assert.deepEqual(await other, [null]);
  assert.equal((await flood).filter((kind) => kind === 'rate_limited').length, 1);
  const all = Array.from({ length: 70 }, (_, host) => `203.0.113.${host}`);
  const kinds = await hashFrom(passwords, all);
  assert.equal(kinds.filter((kind) => kind === 'unavailable').length, 70 - 2 - 64);
  assert.equal((await passwords.hash('afterwards')).startsWith('$scrypt$'), true);
});

test('many networks of one provider take no place from another network, and one turn in two', async () => {
  const networks = (count: number, prefix: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => prefix(index));
  const hosts = [
    // 256 networks of a /56, 256 of a /48 and the addresses of a /24, each with one waiting hash.
    networks(256, (index) => `2001:db8:0:${index.toString(16)}::1`),
    networks(256, (index) => `2001:db8:1:${(index * 256).toString(16)}::1`),
    networks(256, (index) => `203.0.113.${index}`),
  ];
  for (const flood of hosts) {
    const passwords = testPasswords();
    const order: string[] = [];
    const start = (address: string) =>
      hashFrom(passwords, [address]).then(([kind]) => order.push(`${address} ${kind}`));
    const sent = [...flood, '198.51.100.7', '198.51.100.7'].map(start);
    await Promise.all(sent);
    const done = order.filter((line) => line.endsWith('null'));
    assert.equal(done.length, 2 + 64);
    const own = done.flatMap((line, index) => (line.startsWith('198.51.100.7') ? [index] : []));
    assert.ok(own.length === 2 && Math.max(...own) <= 6, `${flood[1]}: ${own}`);
  }
});

test('any number of networks takes no place from one whose password was right before', async () => {
  const passwords = testPasswords();
  const stored = await passwords.hash('correct horse', '198.51.100.7');
  assert.equal(await passwords.verify('correct horse', stored, '198.51.100.7'), true);
  assert.equal(await passwords.verify('correct house', stored, '198.51.100.8'), false);
  const order: string[] = [];
  const start = (address: string) =>
    hashFrom(passwords, [address]).then(([kind]) => order.push(`${address} ${kind}`));
  const networks = Array.from({ length: 100 }, (_, index) => `203.0.${index}.1`);
  await Promise.all([...networks, '198.51.100.8', '198.51.100.7', '198.51.100.7'].map(start));
  assert.ok(order.includes('198.51.100.8 unavailable'), order.join());
  assert.equal(order.filter((line) => line === '198.51.100.7 null').length, 2, order.join());
});

test('within a full network, a task of the largest inner network is displaced', async () => {
  const passwords = testPasswords();
  const busy = Array.from({ length: 10 }, () => '2001:db8:0:1::1');
  // All of another /56 of the same /48, and more of them.
  const many = Array.from({ length: 56 }, (_, index) => `2001:db8:0:1${index + 10}::1`);
  const flood = hashFrom(passwords, [...busy, ...many]);
  assert.deepEqual(await hashFrom(passwords, ['2001:db8:0:2::1']), [null]);
  const refused = (kinds: unknown[]) => kinds.filter((kind) => kind === 'rate_limited').length;
  const kinds = await flood;
  assert.deepEqual([refused(kinds.slice(0, 10)), refused(kinds.slice(10))], [0, 1]);
});
