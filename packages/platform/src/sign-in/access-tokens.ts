import type { KeyObject } from 'node:crypto';
import { createSecretKey } from 'node:crypto';
import type { Clock, SecretBox } from '@probity/core';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { MemberKey, SignInSession } from './types.ts';
import { ACCESS_TOKEN_SECONDS } from './types.ts';

const ISSUER = 'probity';
const AUDIENCE = 'probity-api';
const ALGORITHM = 'HS256';

/** Claims of an access token. */
interface AccessClaims extends MemberKey {
  readonly sessionId: string;
}

/** Issues and verifies access tokens. */
export interface AccessTokens {
  /** Issues a JWT (RFC 7519) that is valid for 15 minutes. */
  issueAccess(session: Pick<SignInSession, 'id' | 'organizationId' | 'memberId'>): Promise<string>;
  /**
   * The claims of a token issued here; null for any other and, unless `ignoreExpiry`, an expired
   * one.
   */
  readAccess(token: string, ignoreExpiry?: boolean): Promise<AccessClaims | null>;
}

/** A token whose signature has been verified. */
interface VerifiedToken {
  readonly keyId: string;
  readonly claims: AccessClaims;
  readonly expiresAtMs: number;
}

/** Cache size. Verifying a signature takes ten times as long as the rest of authentication. */
const MAX_REMEMBERED = 1_000;

/**
 * Creates access tokens: HS256 and nothing else (RFC 8725, section 3.1), signed by the first of the
 * secret box's keys, verified by any of them. Verified signatures are cached, since they stay
 * valid; expiry and the end of the session are checked on every use.
 */
export function createAccessTokens({
  secretBox,
  clock,
}: {
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}): AccessTokens {
  const remembered = new LRUCache<string, VerifiedToken>({ max: MAX_REMEMBERED });
  const signingKeys = () => secretBox.deriveKeys('access token');

  async function verify(token: string): Promise<VerifiedToken | null> {
    const cached = remembered.get(token);
    if (cached && signingKeys().some(({ id }) => id === cached.keyId)) return cached;
    if (!isCanonical(token)) return null;
    const { kid } = decodeProtectedHeader(token);
    const signer = signingKeys().find(({ id }) => id === kid);
    if (!signer) return null;
    const verified = await verifySignature(token, signer.id, createSecretKey(signer.key));
    remembered.set(token, verified);
    return verified;
  }

  return {
    async issueAccess({ id, organizationId, memberId }) {
      const [current] = signingKeys();
      if (!current) throw new Error('No signing key is available.');
      const issuedAt = Math.floor(clock.now().getTime() / 1_000);
      return new SignJWT({ sid: id, org: organizationId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: current.id })
        .setSubject(memberId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(createSecretKey(current.key));
    },
    async readAccess(token, ignoreExpiry = false) {
      const verified = await verify(token).catch(() => null);
      if (!verified) return null;
      const isGood = ignoreExpiry || clock.now().getTime() < verified.expiresAtMs;
      return isGood ? verified.claims : null;
    },
  };
}

/** @throws the error of jose when the token was not issued here */
async function verifySignature(
  token: string,
  keyId: string,
  key: KeyObject,
): Promise<VerifiedToken> {
  const { payload } = await jwtVerify(token, key, {
    algorithms: [ALGORITHM],
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['sub', 'sid', 'org', 'exp'],
    // Expiry is checked on every use instead.
    currentDate: new Date(0),
  });
  const { sub: memberId = '', sid: sessionId, org: organizationId, exp = 0 } = payload;
  if (typeof sessionId !== 'string' || typeof organizationId !== 'string') {
    throw new Error('The claims sid and org must be strings.');
  }
  return { keyId, claims: { memberId, sessionId, organizationId }, expiresAtMs: exp * 1_000 };
}

/**
 * Whether a signature has the canonical spelling: base64url can spell the same bytes in several
 * ways.
 */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
