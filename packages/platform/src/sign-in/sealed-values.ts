import type { SealedValues, Storage } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { resetPurpose } from './password-resets.ts';
import { mfaPurpose } from './second-factor.ts';
import type { SignInReads, SignInWrites } from './storage.ts';

/** What is sealed of signing in, for key rotation; rows are named by their members' ids. */
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
