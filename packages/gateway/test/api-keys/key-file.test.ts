import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashKey, parseKeyFile, toKeyLine } from '../../src/api-keys/key-file.ts';

test('a key is read as it was written', () => {
  const key = {
    hash: hashKey('pbk_x'),
    name: 'ci',
    role: 'admin',
    users: ['alice', 'a b,c'],
  } as const;
  assert.deepEqual(parseKeyFile(`# keys\n\n${toKeyLine(key)}`).get(key.hash), key);
});

test('a bad line of a keys file is named by its number, without its content', () => {
  const hash = hashKey('x');
  for (const [text, message] of [
    ['pbk_secret', /^line 1: expected sha256:/],
    [`# ok\nsha256:${hash} role=owner`, /^line 2: expected the role member or admin$/],
    [`sha256:${hash} name=a/b`, /^line 1: expected a name/],
    [`sha256:${hash} other=1`, /^line 1: expected name=, role= and users= alone$/],
    [`sha256:${hash} name=a\nsha256:${hash} name=b`, /^line 2: the key is there twice$/],
    [`sha256:${hash} name=a\nsha256:${hashKey('y')} name=a`, /^line 2: the name a is taken$/],
  ] as const) {
    assert.throws(() => parseKeyFile(text), { name: 'KeyFileError', message });
  }
});
