import type { MemorySession } from '@probity/core';
import { defineMemoryTable, listSealed } from '@probity/core/internal';
import { CERTIFICATES } from '../certificates/memory-table.ts';
import type { SigningKeyReads, SigningKeyWrites } from './storage.ts';
import type { SigningKey } from './types.ts';

interface StoredKey extends Omit<SigningKey, 'sealedKey'> {
  /** Null for a key that no longer signs. */
  readonly sealedKey: string | null;
}

const KEYS = defineMemoryTable<StoredKey>('signing_keys', null);

/** Reads and writes signing keys in memory. */
export function createSigningKeyOperations(
  session: MemorySession,
): SigningKeyReads & SigningKeyWrites {
  const keys = () => session.table(KEYS);
  const signing = () =>
    keys()
      .filter(() => true)
      .filter(isSigning);
  return {
    async findSigningKey() {
      return signing()[0] ?? null;
    },
    async listPublicKeys(now) {
      const certificates = session.table(CERTIFICATES).filter(({ expiresAt }) => expiresAt > now);
      const used = new Set(certificates.map(({ keyId }) => keyId));
      return keys()
        .filter((key) => isSigning(key) || used.has(key.id))
        .sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime())
        .map(({ id, x }) => ({ id, x }));
    },
    async listSealedSigningKeys(exceptKeyId, after, limit) {
      const values = signing().map(({ id, sealedKey }) => ({ id, sealed: sealedKey }));
      return listSealed(values, exceptKeyId, after, limit);
    },
    async insertSigningKey(key) {
      if (signing().length > 0) return false;
      keys().put(key.id, key);
      return true;
    },
    async retireSigningKey(id) {
      const key = keys().get(id);
      if (!key || !isSigning(key)) return false;
      keys().put(id, { ...key, sealedKey: null });
      return true;
    },
    async replaceSealedSigningKey({ id, from, to }) {
      const key = keys().get(id);
      if (key?.sealedKey === from) keys().put(id, { ...key, sealedKey: to });
    },
  };
}

function isSigning(key: StoredKey): key is SigningKey {
  return key.sealedKey !== null;
}
