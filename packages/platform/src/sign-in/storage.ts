import type { Page, PageOf, ReplacedValue, SealedValue } from '@probity/core';
import type {
  Account,
  MemberKey,
  PasswordReset,
  SessionIdentity,
  SignInFailures,
  SignInSession,
} from './types.ts';

/** Reads of accounts: members with what they sign in with. */
export interface AccountReads {
  /** The accounts with this e-mail, whatever its case, of all organizations and in their order. */
  findAccountsByEmail(email: string): Promise<Account[]>;
  findAccount(key: MemberKey): Promise<Account | null>;
}

/** Changes of accounts. Deleting a member deletes its account, sessions, second factor and reset. */
export interface AccountWrites {
  /** Sets the password; a reset that is on its way is void from then on. */
  setPasswordHash(key: MemberKey, passwordHash: string): Promise<void>;
  /** Sets the member's `last_login`. */
  recordSignIn(key: MemberKey, at: Date): Promise<void>;
}

/** Reads of sessions. */
export interface SessionReads {
  /** The session and what decides about it now; read at every request. Expired ones are given. */
  identifySession(id: string): Promise<SessionIdentity | null>;
  findSession(key: MemberKey, id: string): Promise<SignInSession | null>;
  /** The sessions of a member that expire after `now`, newest first, ties by descending id. */
  listSessions(key: MemberKey, now: Date, page: Page): Promise<PageOf<SignInSession>>;
}

/** Changes of sessions. */
export interface SessionWrites {
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
}

/** Reads of failures to sign in, by subject. */
export interface SignInFailureReads {
  /** Failures under a subject, or null when there have been none. */
  findSignInFailures(subject: string): Promise<SignInFailures | null>;
}

/** Changes of failures to sign in. */
export interface SignInFailureWrites {
  /**
   * The failures under a subject, held against other transactions until this one ends; begun at
   * zero where there are none.
   */
  openSignInFailures(subject: string, now: Date): Promise<SignInFailures>;
  /** Stores the failures of a subject that this transaction has opened. */
  storeSignInFailures(subject: string, failures: SignInFailures): Promise<void>;
  /**
   * Sets the failures to zero, unless the subject is locked at `now`; answers the end of the lock,
   * or null when there is none.
   */
  clearSignInFailures(subject: string, now: Date): Promise<Date | null>;
  /** Deletes up to `limit` counts whose last failure was before `before`; answers how many. */
  deleteOldSignInFailures(before: Date, limit: number): Promise<number>;
}

/** Reads of second factors. */
export interface SecondFactorReads {
  countRecoveryCodes(key: MemberKey): Promise<number>;
  /** Up to `limit` secrets, by member, that another key seals, behind a member's id and in their order. */
  listSealedMfaSecrets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Changes of second factors. */
export interface SecondFactorWrites {
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
  /** Stores the same secret sealed anew, unless the member has another by now. */
  replaceMfaSecret(value: ReplacedValue): Promise<void>;
}

/** Reads of password resets; a member has one at most. */
export interface PasswordResetReads {
  findPasswordReset(key: MemberKey): Promise<PasswordReset | null>;
  findPasswordResetByToken(tokenHash: string): Promise<PasswordReset | null>;
  /** Up to `limit` tokens, by member, that another key seals, behind a member's id and in their order. */
  listSealedResets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Changes of password resets. */
export interface PasswordResetWrites {
  /** Stores the reset in place of the member's former one. */
  putPasswordReset(reset: PasswordReset): Promise<void>;
  /** Deletes a reset and answers it. Of several callers one gets it. */
  takePasswordReset(tokenHash: string): Promise<PasswordReset | null>;
  /** Forgets the sealed token after it was mailed, unless the member has another reset by now. */
  clearSealedReset(key: MemberKey, tokenHash: string): Promise<void>;
  /** Stores the same token sealed anew, unless the member has another reset by now. */
  replaceSealedReset(value: ReplacedValue): Promise<void>;
  /** Deletes up to `limit` resets that expired before `before`; answers how many. */
  deleteExpiredResets(before: Date, limit: number): Promise<number>;
}

/** Reads of all that members sign in with. */
export type SignInReads = AccountReads &
  SessionReads &
  SignInFailureReads &
  SecondFactorReads &
  PasswordResetReads;

/** Changes of all that members sign in with. */
export type SignInWrites = AccountWrites &
  SessionWrites &
  SignInFailureWrites &
  SecondFactorWrites &
  PasswordResetWrites;
