import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import { createSecretBox, parseEncryptionKeys, toKeyId } from '../../src/crypto/secret-box.ts';
import { createKeyFile } from '../../src/sealing/key-file.ts';
import { programPath } from '../support.ts';

const idsOf = (keys: readonly Uint8Array[] | null) => keys?.map(toKeyId);

test('a key file is created once, for its owner only, and leaves no other files', (t) => {
  const folder = temporaryFolder(t).path;
  const path = join(folder, 'a.key');
  const [one, two] = [createKeyFile(path), createKeyFile(path)];
  assert.equal(one.read(), null);
  const made = one.create();
  assert.equal(made.length, 1);
  assert.deepEqual(idsOf(two.create()), idsOf(made));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['a.key']);
});

test('the unfinished key file of another process with the same process id is left alone', (t) => {
  const folder = temporaryFolder(t).path;
  const path = join(folder, 'a.key');
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, 'of the other container');
  createKeyFile(path).create();
  assert.equal(readFileSync(draft, 'utf8'), 'of the other container');
  assert.deepEqual(readdirSync(folder).sort(), ['a.key', basename(draft)]);
});

for (const [moment, isCreated] of [
  ['begun', false],
  ['written', false],
  ['linked', true],
] as const) {
  test(`a start after one that was killed when the key file was ${moment} has one key`, async (t) => {
    const folder = temporaryFolder(t, 'disk').path;
    const path = join(folder, 'a.key');
    const args = [programPath('killed-key'), path, moment];
    const killed = await spawnProgram(process.execPath, args, { test: t });
    assert.notEqual(await killed.exited, 0);
    const drafts = readdirSync(folder).filter((name) => /^a\.key\.[0-9a-f]{16}$/.test(name));
    assert.equal(drafts.length, 1, 'it was killed before it removed its draft');
    const found = createKeyFile(path).read();
    assert.equal(found?.length, isCreated ? 1 : undefined);
    const made = createKeyFile(path).create();
    if (found) assert.deepEqual(idsOf(made), idsOf(found));
    assert.deepEqual(idsOf(createKeyFile(path).create()), idsOf(made));
  });
}

test('a replaced key file is reread, an unchanged one is not', (t) => {
  const path = join(temporaryFolder(t).path, 'a.key');
  const [writer, reader] = [createKeyFile(path), createKeyFile(path)];
  const [old] = writer.create() as [Uint8Array];
  const first = reader.read();
  assert.equal(reader.read(), first);
  const fresh = randomBytes(32);
  writer.replace([fresh, old]);
  assert.deepEqual(idsOf(reader.read()), [toKeyId(fresh), toKeyId(old)]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a secret box that follows its key file seals under the new key and opens both', (t) => {
  const file = createKeyFile(join(temporaryFolder(t).path, 'a.key'));
  const [old] = file.create() as [Uint8Array];
  const box = createSecretBox(createKeyFile(file.path).follow());
  const sealed = box.seal('secret', 'thing:1');
  const fresh = randomBytes(32);
  file.replace([fresh, old]);
  const elsewhere = createSecretBox([fresh]).seal('other', 'thing:2');
  assert.equal(box.open(elsewhere, 'thing:2'), 'other');
  assert.equal(box.keyId, toKeyId(fresh));
  assert.match(box.seal('secret', 'thing:1'), new RegExp(`^v1\\.${toKeyId(fresh)}\\.`));
  file.replace([fresh]);
  assert.equal(box.open(sealed, 'thing:1'), 'secret', 'a value read just before is opened');
  assert.deepEqual(
    box.deriveKeys('use').map(({ id }) => id),
    [toKeyId(fresh)],
    'nothing new is believed of a key that is gone',
  );
  rmSync(file.path);
  assert.equal(box.open(box.seal('on', 'thing:3'), 'thing:3'), 'on', 'it goes on without its file');
});

test('the error for a key file without keys names the file and hides its text', (t) => {
  const path = join(temporaryFolder(t).path, 'a.key');
  writeFileSync(path, 'hunter2');
  assert.throws(
    () => createKeyFile(path).read(),
    ({ message }: Error) => message.includes(path) && !message.includes('hunter2'),
  );
  const missing = createKeyFile(join(path, 'below.key'));
  assert.equal(missing.read(), null);
  assert.throws(() => missing.create(), /below\.key cannot be created/);
});

test('encryption keys are separated by commas or lines and must be unique', () => {
  const texts = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  for (const separator of [',', ' , ', '\n', '\r\n']) {
    const keys = parseEncryptionKeys(`${texts.join(separator)}\n`);
    assert.deepEqual(
      keys.map(([byte]) => byte),
      [1, 2],
    );
  }
  assert.throws(() => parseEncryptionKeys(`${texts[0]},${texts[0]}`), /twice/);
  assert.throws(() => parseEncryptionKeys(`${texts[0]},`), /must be 32 bytes/);
});
