import type { AuditTarget, CallContext, TransactionOf } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError, validationError } from '@probity/core';
import { confirmPassword, requireAccount } from './confirmation.ts';
import type { SignInDependencies } from './login.ts';
import { keyOf } from './login.ts';
import {
  hashRecoveryCode,
  mfaPurpose,
  newRecoveryCodes,
  useSecondFactor,
} from './second-factor.ts';
import { findTotpStep, newTotpSecret, totpUrl } from './totp.ts';
import type { Account } from './types.ts';

/** Whether a second factor is enabled. */
export interface MfaStatus {
  readonly enabled: boolean;
  readonly recoveryCodesLeft: number;
}

/** Proof of a change: the password and a one-time password or recovery code. */
export interface MfaProof {
  readonly password: string;
  readonly otp: string;
}

/**
 * The caller's own second factor (TOTP). Changes need the password, since an access token may
 * have been stolen. A wrong password or one-time password is `validation_failed` that names the
 * field, and counts as a failed sign-in.
 */
export interface Mfa {
  status(context: CallContext): Promise<MfaStatus>;
  /**
   * Creates a new secret for an authenticator app, in force once confirmed.
   * @throws ProbityError `validation_failed`; `conflict` while a second factor is enabled
   */
  begin(context: CallContext, password: string): Promise<{ secret: string; url: string }>;
  /**
   * Enables the second factor and returns ten recovery codes, which are returned only here.
   * @throws ProbityError `validation_failed` for a wrong one-time password; `conflict` when no
   *   enrollment was begun, or the second factor is already enabled
   */
  confirm(context: CallContext, otp: string): Promise<string[]>;
  /**
   * Replaces the recovery codes by ten new ones, which are returned only here.
   * @throws ProbityError `validation_failed`; `conflict` when it is not enabled
   */
  renewRecoveryCodes(context: CallContext, proof: MfaProof): Promise<string[]>;
  /** @throws ProbityError `validation_failed`; `conflict` when it is not enabled */
  disable(context: CallContext, proof: MfaProof): Promise<void>;
}

/** Creates the second factor service. */
export function createMfa(dependencies: SignInDependencies): Mfa {
  const { runtime, storage, secretBox, attempts } = dependencies;
  const { random, clock, audit } = runtime;

  function newCodes(account: Account) {
    const codes = newRecoveryCodes(random);
    return { codes, hashes: codes.map((code) => hashRecoveryCode(keyOf(account), code)) };
  }

  /** Verifies both factors of the caller; returns its account. */
  async function confirm(context: CallContext, { password, otp }: MfaProof): Promise<Account> {
    const account = await requireAccount(dependencies, context);
    if (!account.member.mfaEnabled) throw isOff();
    await confirmPassword(dependencies, context, account, password, 'password');
    // In a separate transaction before the request's own, since a failure must be stored as well.
    const factor = await storage.transaction(OUTSIDE_REQUEST, (tx) =>
      useSecondFactor(tx, account, otp, dependencies),
    );
    if (factor) return account;
    await attempts.fail(context, account.member.email, [account]);
    throw validationError({ field: 'otp', message: 'is wrong, or has been used' });
  }

  /**
   * Under the lock of the organization, as all changes of credentials: the member and the session of the
   * caller are held, so two that changed them at once would wait for each other.
   * @param account as its password was checked, which must be the same still
   */
  function change(
    context: CallContext,
    account: Account,
    work: (tx: TransactionOf<SignInDependencies['storage']>) => Promise<void>,
  ): Promise<void> {
    return storage.withTenantLock(context, context.principal.organizationId, async (tx) => {
      const current = await tx.findAccount(keyOf(account));
      const { member, passwordHash } = account;
      if (current?.passwordHash !== passwordHash) throw changedMeanwhile();
      if (current.member.mfaEnabled && !member.mfaEnabled) throw alreadyOn();
      await work(tx);
    });
  }

  return {
    async status(context) {
      const { member } = await requireAccount(dependencies, context);
      const recoveryCodesLeft = await storage.countRecoveryCodes(context.principal);
      return { enabled: member.mfaEnabled, recoveryCodesLeft };
    },

    async begin(context, password) {
      const account = await requireAccount(dependencies, context);
      const { member, organization } = account;
      if (member.mfaEnabled) throw alreadyOn();
      await confirmPassword(dependencies, context, account, password, 'password');
      const secret = newTotpSecret(random);
      const sealed = secretBox.seal(secret, mfaPurpose(member.id));
      await change(context, account, async (tx) => {
        await tx.setMfaSecret(keyOf(account), sealed);
        await audit.record(tx, context, 'mfa.begun', targetOf(account));
      });
      return { secret, url: totpUrl(secret, `${member.email} (${organization.slug})`) };
    },

    async confirm(context, otp) {
      const account = await requireAccount(dependencies, context);
      const { member, sealedMfaSecret } = account;
      if (member.mfaEnabled) throw alreadyOn();
      if (!sealedMfaSecret) throw notBegun();
      const secret = secretBox.open(sealedMfaSecret, mfaPurpose(member.id));
      const step = findTotpStep(secret, otp.replace(/\s/g, ''), clock.now());
      if (step === null) throw validationError({ field: 'otp', message: 'is wrong' });
      const key = keyOf(account);
      const { codes, hashes } = newCodes(account);
      await change(context, account, async (tx) => {
        if (!(await tx.enableMfa(key, sealedMfaSecret, step, hashes))) throw changedMeanwhile();
        await audit.record(tx, context, 'mfa.enabled', targetOf(account));
      });
      return codes;
    },

    async renewRecoveryCodes(context, proof) {
      const account = await confirm(context, proof);
      const { codes, hashes } = newCodes(account);
      await change(context, account, async (tx) => {
        if (!(await tx.replaceRecoveryCodes(keyOf(account), hashes))) throw isOff();
        await audit.record(tx, context, 'mfa.recovery_codes_renewed', targetOf(account));
      });
      return codes;
    },

    async disable(context, proof) {
      const account = await confirm(context, proof);
      await change(context, account, async (tx) => {
        await tx.disableMfa(keyOf(account));
        await audit.record(tx, context, 'mfa.disabled', targetOf(account));
      });
    },
  };
}

function targetOf({ member }: Account): AuditTarget {
  return { type: 'member', id: member.id };
}

function alreadyOn(): ProbityError {
  return new ProbityError('conflict', 'The second factor is enabled; disable it first.');
}

function changedMeanwhile(): ProbityError {
  return new ProbityError(
    'conflict',
    'Another request changed the enrollment or the password; check the status.',
  );
}

function notBegun(): ProbityError {
  return new ProbityError('conflict', 'No enrollment was started; POST to /auth/mfa first.');
}

function isOff(): ProbityError {
  return new ProbityError('conflict', 'The second factor is not enabled.');
}
