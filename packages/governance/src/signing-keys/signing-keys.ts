import type { KeyObject } from 'node:crypto';
import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Runtime, SealedValues, SecretBox } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { createSealedValues } from '@probity/core/internal';
import { calculateJwkThumbprint } from 'jose';
import { LRUCache } from 'lru-cache';
import type { CertificateStorage } from '../certificates/storage.ts';
import type { PublicKey, SigningKey } from './types.ts';

/** A key set as it is published (RFC 7517). */
export interface JsonWebKeySet {
  readonly keys: readonly JsonWebKey[];
}

/** A public Ed25519 key (RFC 8037). */
interface JsonWebKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** What a rotation of the signing key has done. */
export interface SigningKeyRotation {
  /** The key that signs from now on. */
  readonly keyId: string;
  /** The key that signed before; null where there was none. */
  readonly retiredKeyId: string | null;
}

/** A key that is ready to sign. */
export interface Signer {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  /** The key, where it was made for this signature: to be stored with what it signed. */
  readonly made: SigningKey | null;
}

/** The keys of the installation that certificates are signed with. */
export interface SigningKeys {
  /** The public keys of every certificate that is valid, and of the next one. */
  keySet(): Promise<JsonWebKeySet>;
  /** The key that signs; where there is none yet, a new one, which is not stored. */
  signer(secretBox: SecretBox): Promise<Signer>;
  /**
   * Makes another key the one that signs, on every instance from the answer on, and removes the private part of the
   * former one. Its public part stays in the key set until the last certificate under it has expired.
   */
  rotate(secretBox: SecretBox): Promise<SigningKeyRotation>;
}

type KeyDependencies = Pick<Runtime, 'clock'> & { readonly storage: CertificateStorage };

const generate = promisify(generateKeyPair);

/** Creates the service for signing keys. */
export function createSigningKeys({ storage, clock }: KeyDependencies): SigningKeys {
  const opened = new LRUCache<string, KeyObject>({ max: 2 });

  function open({ id, sealedKey }: SigningKey, secretBox: SecretBox): Omit<Signer, 'made'> {
    const known = opened.get(id);
    if (known) return { keyId: id, privateKey: known };
    const der = Buffer.from(secretBox.open(sealedKey, purposeOf(id)), 'base64');
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    opened.set(id, privateKey);
    return { keyId: id, privateKey };
  }

  return {
    async keySet() {
      return { keys: (await storage.listPublicKeys(clock.now())).map(toJsonWebKey) };
    },

    async signer(secretBox) {
      const present = await storage.findSigningKey();
      if (present) return { ...open(present, secretBox), made: null };
      const made = await makeKey(secretBox, clock.now());
      return { ...open(made, secretBox), made };
    },

    async rotate(secretBox) {
      const made = await makeKey(secretBox, clock.now());
      const retiredKeyId = await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        const former = await tx.findSigningKey();
        if (former) await tx.retireSigningKey(former.id, clock.now());
        if (!(await tx.insertSigningKey(made))) {
          throw new ProbityError(
            'conflict',
            'Another rotation ran at the same time; repeat this one.',
          );
        }
        return former?.id ?? null;
      });
      return { keyId: made.id, retiredKeyId };
    },
  };
}

/** The sealed signing key, for rotation of the encryption key. */
export function sealedSigningKeys(storage: CertificateStorage): SealedValues {
  return createSealedValues(storage, {
    name: 'signing_keys',
    purposeOf,
    list: storage.listSealedSigningKeys,
    replaceOne: (tx, value) => tx.replaceSealedSigningKey(value),
  });
}

async function makeKey(secretBox: SecretBox, now: Date): Promise<SigningKey> {
  const { publicKey, privateKey } = await generate('ed25519');
  const { kty = '', crv = '', x = '' } = publicKey.export({ format: 'jwk' });
  const id = await calculateJwkThumbprint({ kty, crv, x });
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return { id, x, sealedKey: secretBox.seal(der, purposeOf(id)), createdAt: now };
}

function purposeOf(id: string): string {
  return `signing_key:${id}`;
}

function toJsonWebKey({ id, x }: PublicKey): JsonWebKey {
  return { kty: 'OKP', crv: 'Ed25519', x, kid: id, alg: 'EdDSA', use: 'sig' };
}
