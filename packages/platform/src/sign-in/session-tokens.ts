import { createHmac } from 'node:crypto';
import type { Clock, Random, SecretBox, SessionProof } from '@probity/core';
import { hashSecret, randomBase62 } from '@probity/core/internal';
import type { AccessTokens } from './access-tokens.ts';
import { createAccessTokens } from './access-tokens.ts';
import type { SignInSession } from './types.ts';

/** A refresh token with what is stored of it. */
export interface RefreshToken {
  readonly token: string;
  readonly familyHash: string;
  readonly refreshHash: string;
}

/** Makes and reads the tokens of sessions. */
export interface SessionTokens extends AccessTokens {
  /** A refresh token of the same family as `former`, or of a new one. */
  issueRefresh(former?: string): RefreshToken;
  /** What goes with a session in requests; made from the session, so that nothing of it is stored. */
  proofOf(session: Pick<SignInSession, 'id' | 'familyHash'>): SessionProof;
}

const FAMILY_LENGTH = 32;
const REFRESH_TOKEN = /^prt_[0-9A-Za-z]{64}$/;

/** The hashes of a refresh token, or null when it has not the form of one. */
export function parseRefreshToken(token: string): RefreshToken | null {
  if (!REFRESH_TOKEN.test(token)) return null;
  return { token, familyHash: hashSecret(familyOf(token)), refreshHash: hashSecret(token) };
}

/** `prt_` and the characters that all tokens of a session share. */
function familyOf(token: string): string {
  return token.slice(0, 'prt_'.length + FAMILY_LENGTH);
}

/** What the tokens are made with. */
export interface SessionTokenDependencies {
  /** The keys are derived from its keys: the first signs, all verify. */
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly random: Random;
}

/** Creates the tokens of sessions. */
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
      if (!sessionSecrets) throw new Error('There is no key to make secrets with.');
      return {
        // Of the refresh token's family, so that a session outlives the encryption key.
        csrfToken: hmac(familyHash, 'csrf token'),
        secret: hmac(sessionSecrets.key, id),
      };
    },
  };
}

function hmac(key: Uint8Array | string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
