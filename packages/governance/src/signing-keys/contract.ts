import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import type { CertificateStorage, CertificateTransaction } from '../certificates/storage.ts';
import { certificateFixture } from '../fixtures.ts';
import type { SigningKey } from './types.ts';

type Opened = OpenedStorage<CertificateStorage>;

/** Contract checks of a storage for signing keys, by test title. */
export const signingKeyPromises: Readonly<Record<string, PromiseCheck<CertificateStorage>>> = {
  'one signing key is stored, of many at the same time too': keepsOne,
  'a retired key is published while a certificate under it is valid, and its private part is gone':
    retires,
  'the sealed signing key is listed and replaced while it is as it was': reseals,
};

function keyOf(id: string, day = 1): SigningKey {
  return {
    id,
    x: `x of ${id}`,
    sealedKey: `sealed ${id}`,
    createdAt: new Date(Date.UTC(2026, 0, day)),
  };
}

function write<T>(storage: CertificateStorage, work: (tx: CertificateTransaction) => Promise<T>) {
  return storage.transaction(OUTSIDE_REQUEST, work);
}

const NOW = new Date('2026-06-01T00:00:00Z');

async function keepsOne({ storage }: Opened): Promise<void> {
  assert.equal(await storage.findSigningKey(), null);
  assert.deepEqual(await storage.listPublicKeys(NOW), []);
  const keys = ['a', 'b', 'c', 'd'].map((id) => keyOf(id));
  const stored = await Promise.all(
    keys.map((key) => write(storage, (tx) => tx.insertSigningKey(key))),
  );
  assert.equal(stored.filter(Boolean).length, 1);
  const key = keys[stored.indexOf(true)] as SigningKey;
  assert.deepEqual(await storage.findSigningKey(), key);
  assert.deepEqual(await storage.listPublicKeys(NOW), [{ id: key.id, x: key.x }]);
}

async function retires({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  await write(storage, (tx) => tx.insertSigningKey(keyOf('first')));
  const issue = (id: string, keyId: string, expiresAt: Date) =>
    write(storage, (tx) =>
      tx.insertCertificate(certificateFixture({ id, organizationId, keyId, expiresAt })),
    );
  await issue('crt_1', 'first', new Date(NOW.getTime() - 1_000));
  await issue('crt_2', 'first', new Date(NOW.getTime() + 1_000));
  const retire = (id: string) => write(storage, (tx) => tx.retireSigningKey(id, NOW));
  assert.deepEqual([await retire('none'), await retire('first')], [false, true]);
  assert.equal(await retire('first'), false);
  assert.equal(await storage.findSigningKey(), null);
  assert.deepEqual(await storage.listSealedSigningKeys('another', '', 9), []);
  assert.equal(await write(storage, (tx) => tx.insertSigningKey(keyOf('second', 2))), true);
  const published = async (at: Date) => (await storage.listPublicKeys(at)).map(({ id }) => id);
  assert.deepEqual(await published(NOW), ['second', 'first']);
  assert.deepEqual(await published(new Date(NOW.getTime() + 1_000)), ['second']);
}

async function reseals({ storage }: Opened): Promise<void> {
  await write(storage, (tx) => tx.insertSigningKey(keyOf('first')));
  const listed = [{ id: 'first', sealed: 'sealed first' }];
  assert.deepEqual(await storage.listSealedSigningKeys('another', '', 1), listed);
  assert.deepEqual(await storage.listSealedSigningKeys('another', 'first', 1), []);
  const replace = (from: string, to: string) =>
    write(storage, (tx) => tx.replaceSealedSigningKey({ id: 'first', from, to }));
  await replace('another', 'lost');
  await replace('sealed first', 'anew');
  assert.equal((await storage.findSigningKey())?.sealedKey, 'anew');
}
