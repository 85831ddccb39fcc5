import type { Page, PageOf } from '@probity/core';
import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type {
  Account,
  MemberKey,
  PasswordReset,
  SessionIdentity,
  SignInFailures,
  SignInSession,
} from './types.ts';

/** Reads of accounts: members with their credentials. */
export interface AccountReads {
  /** The accounts with this e-mail in any case, of all organizations, ordered by organization. */
  findAccountsByEmail(email: string): Promise<Account[]>;
  findAccount(key: MemberKey): Promise<Account | null>;
}

/** Writes of accounts. Deleting a member deletes its account, sessions, second factor and reset. */
export interface AccountWrites {
  /** Sets the password and invalidates a pending reset. */
  setPasswordHash(key: MemberKey, passwordHash: string): Promise<void>;
  /** Sets the member's `last_login`. */
  recordSignIn(key: MemberKey, at: Date): Promise<void>;
}

/** Reads of sessions. */
export interface SessionReads {
  /**
   * The session and its present authorization state; runs on every request. Expired ones are
   * returned.
   * @param isHeld in a transaction: keeps the session and its member as they are until it ends
   */
  identifySession(id: string, isHeld?: boolean): Promise<SessionIdentity | null>;
  findSession(key: MemberKey, id: string): Promise<SignInSession | null>;
  /** The member's sessions that expire after `now`, newest first, ties by descending id. */
  listSessions(key: MemberKey, now: Date, page: Page): Promise<PageOf<SignInSession>>;
}

/** Writes of sessions. */
export interface SessionWrites {
  insertSession(session: SignInSession): Promise<void>;
  /** The session of this family, locked until the transaction ends, or null. */
  lockSessionByFamily(familyHash: string): Promise<SignInSession | null>;
  /** Replaces the refresh token; the current one becomes the previous one. */
  renewSession(id: string, refreshHash: string, at: Date): Promise<void>;
  /** False when the member has no such session. */
  deleteSession(key: MemberKey, id: string): Promise<boolean>;
  /** Ends the member's sessions except `exceptId`; returns how many. */
  deleteSessionsOf(key: MemberKey, exceptId?: string): Promise<number>;
  /** Deletes up to `limit` sessions that expired before `before`; returns how many. */
  deleteExpiredSessions(before: Date, limit: number): Promise<number>;
}

/** Reads of sign-in failures, by subject. */
export interface SignInFailureReads {
  /** The failures of a subject, or null when there are none. */
  findSignInFailures(subject: string): Promise<SignInFailures | null>;
}

/** Writes of sign-in failures. */
export interface SignInFailureWrites {
  /**
   * The failures of a subject, locked until the transaction ends; inserted with a count of zero
   * when there are none.
   */
  openSignInFailures(subject: string, now: Date): Promise<SignInFailures>;
  /** Stores the failures of a subject, which need not have any. */
  storeSignInFailures(subject: string, failures: SignInFailures): Promise<void>;
  /** Deletes up to `limit` counts whose last failure was before `before`; returns how many. */
  deleteOldSignInFailures(before: Date, limit: number): Promise<number>;
}

/** Reads of second factors. */
export interface SecondFactorReads {
  countRecoveryCodes(key: MemberKey): Promise<number>;
  /** Up to `limit` secrets sealed under other keys, with member ids above `after`, by member id. */
  listSealedMfaSecrets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Writes of second factors. */
export interface SecondFactorWrites {
  /** Stores the secret of an unconfirmed enrollment, replacing a former one. */
  setMfaSecret(key: MemberKey, sealedSecret: string): Promise<void>;
  /**
   * Enables the second factor, with `step` as the last one used and only these recovery codes.
   * False, and no change, when it is enabled already or the sealed secret has changed.
   */
  enableMfa(
    key: MemberKey,
    sealedSecret: string,
    step: number,
    recoveryCodeHashes: readonly string[],
  ): Promise<boolean>;
  /**
   * Replaces the recovery codes of an enabled second factor. False, and no change, when it is not
   * enabled.
   */
  replaceRecoveryCodes(key: MemberKey, recoveryCodeHashes: readonly string[]): Promise<boolean>;
  /** Disables the second factor and deletes its secret and recovery codes. */
  disableMfa(key: MemberKey): Promise<void>;
  /** Marks a time step as used. False, and no change, unless it is later than every step used. */
  useMfaStep(key: MemberKey, step: number): Promise<boolean>;
  /** Deletes a recovery code. False when the member does not have it. */
  useRecoveryCode(key: MemberKey, codeHash: string): Promise<boolean>;
  /** Stores the secret sealed under another key, unless the member has a newer secret. */
  replaceMfaSecret(value: ReplacedValue): Promise<void>;
}

/** Reads of password resets; a member has at most one. */
export interface PasswordResetReads {
  findPasswordReset(key: MemberKey): Promise<PasswordReset | null>;
  findPasswordResetByToken(tokenHash: string): Promise<PasswordReset | null>;
  /** Up to `limit` tokens sealed under other keys, with member ids above `after`, by member id. */
  listSealedResets(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Writes of password resets. */
export interface PasswordResetWrites {
  /** Stores the reset, replacing the member's former one. */
  putPasswordReset(reset: PasswordReset): Promise<void>;
  /** Deletes a reset and returns it. Of several callers one gets it. */
  takePasswordReset(tokenHash: string): Promise<PasswordReset | null>;
  /** Clears the sealed token after it was mailed, unless the member has a newer reset. */
  clearSealedReset(key: MemberKey, tokenHash: string): Promise<void>;
  /** Stores the token sealed under another key, unless the member has a newer reset. */
  replaceSealedReset(value: ReplacedValue): Promise<void>;
  /** Deletes up to `limit` resets that expired before `before`; returns how many. */
  deleteExpiredResets(before: Date, limit: number): Promise<number>;
}

/** Reads of all sign-in resources. */
export type SignInReads = AccountReads &
  SessionReads &
  SignInFailureReads &
  SecondFactorReads &
  PasswordResetReads;

/** Writes of all sign-in resources. */
export type SignInWrites = AccountWrites &
  SessionWrites &
  SignInFailureWrites &
  SecondFactorWrites &
  PasswordResetWrites;
