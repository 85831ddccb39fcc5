import { createHmac } from 'node:crypto';
import type { Clock, Random, SecretBox } from '@probity/core';
import type { SignInProof } from '@probity/core/internal';
import { hashSecret, randomBase62 } from '@probity/core/internal';
import type { AccessTokens } from './access-tokens.ts';
import { createAccessTokens } from './access-tokens.ts';
import type { SignInSession } from './types.ts';

/** A refresh token and its stored hashes. */
export interface RefreshToken {
  readonly token: string;
  readonly familyHash: string;
  readonly refreshHash: string;
}

/** Issues and parses the tokens of sessions. */
export interface SessionTokens extends AccessTokens {
  /** Issues a refresh token of the same family as `former`, or of a new family. */
  issueRefresh(former?: string): RefreshToken;
  /** Derives the session's request proof from the session, so that none of it is stored. */
  proofOf(session: Pick<SignInSession, 'id' | 'familyHash'>): SignInProof;
}

const FAMILY_LENGTH = 32;
const REFRESH_TOKEN = /^prt_[0-9A-Za-z]{64}$/;

/** Parses a refresh token into its hashes; null when it is malformed. */
export function parseRefreshToken(token: string): RefreshToken | null {
  if (!REFRESH_TOKEN.test(token)) return null;
  return { token, familyHash: hashSecret(familyOf(token)), refreshHash: hashSecret(token) };
}

/** The part of a refresh token that all tokens of a session share: `prt_` and the family. */
function familyOf(token: string): string {
  return token.slice(0, 'prt_'.length + FAMILY_LENGTH);
}

/** Dependencies of session tokens. */
export interface SessionTokenDependencies {
  /** Token keys are derived from its keys: the first signs, all verify. */
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly random: Random;
}

/** Creates the session tokens. */
export function createSessionTokens({
  secretBox,
  clock,
  random,
}: SessionTokenDependencies): SessionTokens {
  return {
    ...createAccessTokens({ secretBox, clock }),
    issueRefresh(former) {
      const family = former ? familyOf(former) : `prt_${randomBase62(random, FAMILY_LENGTH)}`;
      const token = family + randomBase62(random, 32);
      return { token, familyHash: hashSecret(family), refreshHash: hashSecret(token) };
    },
    proofOf({ id, familyHash }) {
      const [sessionSecrets] = secretBox.deriveKeys('session secret');
      if (!sessionSecrets) throw new Error('No key for session secrets is available.');
      return {
        // Derived from the refresh token's family, so that a session outlives the encryption key.
        csrfToken: hmac(familyHash, 'csrf token'),
        secret: hmac(sessionSecrets.key, id),
      };
    },
  };
}

function hmac(key: Uint8Array | string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
