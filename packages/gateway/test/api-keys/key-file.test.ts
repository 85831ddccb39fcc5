import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashKey, readKeyFile, toKeyLine } from '../../src/api-keys/key-file.ts';

test('a key is read as it was written', () => {
  const key = {
    hash: hashKey('pbk_x'),
    name: 'ci',
    role: 'admin',
    users: ['alice', 'a b,c'],
    domains: ['example.com', '*.example.org'],
    created: '2026-01-31T12:00:00.000Z',
  } as const;
  assert.deepEqual(readKeyFile(`# keys\n\n${toKeyLine(key)}`).keys.get(key.hash), key);
});

test('a bad line of a keys file is named by its number, without its content; the others count', () => {
  const hash = hashKey('x');
  const good = `sha256:${hashKey('good')} name=good`;
  for (const [text, line, message] of [
    ['pbk_secret', 1, /^expected sha256:/],
    [`# ok\nsha256:${hash} role=owner`, 2, /^expected the role member or admin$/],
    [`sha256:${hash} name=a/b`, 1, /^expected a name/],
    [`sha256:${hash} other=1`, 1, /^expected name=, role=, users=, domains= and created= alone$/],
    [`sha256:${hash} created=today`, 1, /^expected a time/],
    [`sha256:${hash} name=a\nsha256:${hash} name=b`, 2, /^the key of line 1 again$/],
    [`sha256:${hash} name=a\nsha256:${hashKey('y')} name=a`, 2, /^the name of line 1 again$/],
  ] as const) {
    const { keys, faults } = readKeyFile(`${text}\n${good}\n`);
    assert.deepEqual(
      faults.map((fault) => fault.line),
      [line],
    );
    assert.match(faults[0]?.message ?? '', message);
    assert.equal(keys.get(hashKey('good'))?.name, 'good');
  }
});
