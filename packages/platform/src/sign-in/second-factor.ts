import type { Random } from '@probity/core';
import { hashSecret } from '@probity/core/internal';
import type { SignInDependencies } from './login.ts';
import type { SecondFactorWrites } from './storage.ts';
import { findTotpStep } from './totp.ts';
import type { Account, MemberKey } from './types.ts';

/** The kind of second factor used, for the audit log. */
export type SecondFactor = 'app' | 'recovery_code';

/** The purpose that a TOTP secret is sealed for, see {@link SecretBox}. */
export function mfaPurpose(memberId: string): string {
  return `mfa:${memberId}`;
}

/**
 * Uses up a one-time password: a recovery code, or a time step later than every one used. Call it
 * in the transaction of the operation that it authorizes. Null when it is wrong or already used.
 */
export async function useSecondFactor(
  tx: SecondFactorWrites,
  { member, sealedMfaSecret }: Account,
  otp: string,
  { secretBox, runtime }: Pick<SignInDependencies, 'secretBox' | 'runtime'>,
): Promise<SecondFactor | null> {
  const key = { organizationId: member.organizationId, memberId: member.id };
  const text = otp.replace(/[\s-]/g, '').toLowerCase();
  if (!/^\d{6}$/.test(text)) {
    return (await tx.useRecoveryCode(key, hashRecoveryCode(key, text))) ? 'recovery_code' : null;
  }
  if (!sealedMfaSecret) return null;
  const secret = secretBox.open(sealedMfaSecret, mfaPurpose(member.id));
  const step = findTotpStep(secret, text, runtime.clock.now());
  return step !== null && (await tx.useMfaStep(key, step)) ? 'app' : null;
}

const CODES = 10;
const CODE_LENGTH = 16;
/** 32 characters, so that five bits of a byte select one without bias. */
const CODE_ALPHABET = '023456789abcdefghjkmnpqrstuvwxyz';

/** Generates ten recovery codes of 80 random bits each, in groups of four to be easy to copy. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = [...random(CODE_LENGTH)].map((byte) => CODE_ALPHABET[byte & 31]);
    return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The stored hash of a recovery code. */
export function hashRecoveryCode({ memberId }: MemberKey, code: string): string {
  return hashSecret(`${memberId}:${code.replaceAll('-', '')}`);
}
