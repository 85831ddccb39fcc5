import type { Page, PageOf, ReplacedValue, SealedValue, Storage } from '@probity/core';
import type {
  Account,
  MemberKey,
  PasswordReset,
  SessionIdentity,
  SignInFailures,
  SignInSession,
} from './types.ts';

/** Reads of sign-in. */
export interface SignInReads {
  /** The accounts with this e-mail, whatever its case, of all organizations and in their order. */
  findAccountsByEmail(email: string): Promise<Account[]>;
  findAccount(key: MemberKey): Promise<Account | null>;
  /** The session and what decides about it now; read at every request. Expired ones are given. */
  identifySession(id: string): Promise<SessionIdentity | null>;
  findSession(key: MemberKey, id: string): Promise<SignInSession | null>;
  /** The sessions of a member that expire after `now`, newest first, ties by id. */
  listSessions(key: MemberKey, now: Date, page: Page): Promise<PageOf<SignInSession>>;
  /** Failures under a subject, or null when there have been none. */
  findFailures(subject: string): Promise<SignInFailures | null>;
  countRecoveryCodes(key: MemberKey): Promise<number>;
  findPasswordReset(key: MemberKey): Promise<PasswordReset | null>;
  findPasswordResetByToken(tokenHash: string): Promise<PasswordReset | null>;
  /** Up to `limit` secrets, by member, that another key seals, behind a member's id and in their order. */
  listSealedMfaSecrets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
  /** The same for the tokens of resets. */
  listSealedResets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Changes of sign-in. All rows of a member go with the member. */
export interface SignInWrites {
  /** Sets the password; a reset that is on its way is void from then on. */
  setPasswordHash(key: MemberKey, passwordHash: string): Promise<void>;
  /** Sets the member's `last_login`. */
  recordSignIn(key: MemberKey, at: Date): Promise<void>;
  insertSession(session: SignInSession): Promise<void>;
  /** The session of this family, held against other transactions until this one ends, or null. */
  lockSessionByFamily(familyHash: string): Promise<SignInSession | null>;
  /** Replaces the refresh token; the present one becomes the previous one. */
  renewSession(id: string, refreshHash: string, at: Date): Promise<void>;
  /** False when the member has no such session. */
  deleteSession(key: MemberKey, id: string): Promise<boolean>;
  /** Ends the member's sessions, leaving out one; answers how many. */
  deleteSessionsOf(key: MemberKey, exceptId?: string): Promise<number>;
  /** Deletes up to `limit` sessions that expired before `before`; answers how many. */
  deleteExpiredSessions(before: Date, limit: number): Promise<number>;
  /**
   * The failures under a subject, held against other transactions until this one ends; begun at
   * zero where there are none.
   */
  openFailures(subject: string, now: Date): Promise<SignInFailures>;
  /** Stores the failures of a subject that this transaction has opened. */
  storeFailures(subject: string, failures: SignInFailures): Promise<void>;
  /**
   * Sets the failures to zero, unless the subject is locked at `now`; answers the end of the lock,
   * or null when there is none.
   */
  clearFailures(subject: string, now: Date): Promise<Date | null>;
  /** Deletes up to `limit` counts whose last failure was before `before`; answers how many. */
  deleteOldFailures(before: Date, limit: number): Promise<number>;
  /** Stores the secret of an enrolment that is not confirmed; replaces a former one. */
  setMfaSecret(key: MemberKey, sealedSecret: string): Promise<void>;
  /**
   * Turns the second factor on, with `step` as the last one used and these recovery codes alone.
   * False, and no change, when it is on or the sealed secret is another by now.
   */
  enableMfa(
    key: MemberKey,
    sealedSecret: string,
    step: number,
    recoveryCodeHashes: readonly string[],
  ): Promise<boolean>;
  /** Turns the second factor off and forgets secret and recovery codes. */
  disableMfa(key: MemberKey): Promise<void>;
  /** Marks a time step as used. False, and no change, unless it is later than every one used. */
  useMfaStep(key: MemberKey, step: number): Promise<boolean>;
  /** Deletes a recovery code. False when the member does not have it (any more). */
  useRecoveryCode(key: MemberKey, codeHash: string): Promise<boolean>;
  /** Stores the reset in place of the member's former one. */
  putPasswordReset(reset: PasswordReset): Promise<void>;
  /** Deletes a reset and answers it. Of several callers one gets it. */
  takePasswordReset(tokenHash: string): Promise<PasswordReset | null>;
  /** Forgets the sealed token after it was mailed, unless the member has another reset by now. */
  clearSealedReset(key: MemberKey, tokenHash: string): Promise<void>;
  /** Stores the same secret sealed anew, unless the member has another by now. */
  replaceMfaSecret(value: ReplacedValue): Promise<void>;
  /** The same for the token of a reset. */
  replaceSealedReset(value: ReplacedValue): Promise<void>;
  /** Deletes up to `limit` resets that expired before `before`; answers how many. */
  deleteExpiredResets(before: Date, limit: number): Promise<number>;
}

/** Storage of passwords, second factors and sessions. */
export type SignInStorage = Storage<SignInReads, SignInWrites>;
