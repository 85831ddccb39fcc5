import type { SealedValues, Storage } from '@probity/core';
import { createSealedValues } from '@probity/core/internal';
import { resetPurpose } from './password-resets.ts';
import { mfaPurpose } from './second-factor.ts';
import type { SignInReads, SignInWrites } from './storage.ts';

/** The sealed values of sign-in, for key rotation; rows are identified by member id. */
export function sealedSignInValues(storage: Storage<SignInReads, SignInWrites>): SealedValues[] {
  return [
    createSealedValues(storage, {
      name: 'mfa_secrets',
      purposeOf: mfaPurpose,
      list: storage.listSealedMfaSecrets,
      replaceOne: (tx, value) => tx.replaceMfaSecret(value),
    }),
    createSealedValues(storage, {
      name: 'password_reset_tokens',
      purposeOf: resetPurpose,
      list: storage.listSealedResets,
      replaceOne: (tx, value) => tx.replaceSealedReset(value),
    }),
  ];
}
