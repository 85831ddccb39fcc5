import type { CallContext, Runtime, SecretBox, Storage } from '@probity/core';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import type { SignInCall } from './attempts.ts';
import { createAttempts } from './attempts.ts';
import type { LoginInput, SignedIn, SignInDependencies } from './login.ts';
import { login } from './login.ts';
import type { Mfa } from './mfa.ts';
import { createMfa } from './mfa.ts';
import type { PasswordChange } from './own-password.ts';
import { changeOwnPassword } from './own-password.ts';
import type { PasswordResets } from './password-resets.ts';
import { createPasswordResets } from './password-resets.ts';
import type { Passwords } from './passwords.ts';
import { createSessionTokens } from './session-tokens.ts';
import type { Sessions } from './sessions.ts';
import { createSessions } from './sessions.ts';
import type { SignInReads, SignInWrites } from './storage.ts';

/** The sign-in services. */
export interface SignIn {
  /**
   * Errors as of `login` in login.ts: `unauthorized`, `invalid_request`, `rate_limited`.
   */
  login(call: SignInCall, input: LoginInput): Promise<SignedIn>;
  /**
   * Errors as of `changeOwnPassword`: `validation_failed`, `conflict`, `rate_limited`.
   */
  changePassword(context: CallContext, change: PasswordChange): Promise<void>;
  readonly sessions: Sessions;
  readonly passwordResets: PasswordResets;
  readonly mfa: Mfa;
}

/** Dependencies of sign-in. */
export interface SignInOptions {
  readonly storage: Storage<SignInReads, SignInWrites>;
  readonly passwords: Passwords;
  /** Seals the secrets of second factors; its keys sign access tokens. */
  readonly secretBox: SecretBox;
}

/** Creates the sign-in services. */
export function createSignIn(runtime: Runtime, options: SignInOptions): SignIn {
  const { clock, random } = runtime;
  const { storage, passwords, secretBox } = options;
  const dependencies: SignInDependencies = {
    runtime,
    storage,
    passwords,
    secretBox,
    tokens: createSessionTokens({ secretBox, clock, random }),
    attempts: createAttempts(runtime, options),
    allowlists: createIpAllowlists(),
  };
  return {
    login: (call, input) => login(dependencies, call, input),
    changePassword: (context, change) => changeOwnPassword(dependencies, context, change),
    sessions: createSessions(dependencies),
    passwordResets: createPasswordResets(dependencies),
    mfa: createMfa(dependencies),
  };
}
