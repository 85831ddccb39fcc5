import type { SealedValues, Storage } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { resetPurpose } from './password-resets.ts';
import { mfaPurpose } from './second-factor.ts';
import type { SignInReads, SignInWrites } from './storage.ts';

/** The sealed values of sign-in, for key rotation; rows are identified by member id. */
export function sealedSignInValues(storage: Storage<SignInReads, SignInWrites>): SealedValues[] {
  return [
    {
      name: 'mfa_secrets',
      purposeOf: mfaPurpose,
      list: storage.listSealedMfaSecrets,
      replace: (values) =>
        storage.transaction(OUTSIDE_REQUEST, async (tx) => {
          for (const value of values) await tx.replaceMfaSecret(value);
        }),
    },
    {
      name: 'password_reset_tokens',
      purposeOf: resetPurpose,
      list: storage.listSealedResets,
      replace: (values) =>
        storage.transaction(OUTSIDE_REQUEST, async (tx) => {
          for (const value of values) await tx.replaceSealedReset(value);
        }),
    },
  ];
}
