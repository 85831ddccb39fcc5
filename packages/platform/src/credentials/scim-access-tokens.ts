import { createSecretKey } from 'node:crypto';
import type { Clock, SecretBox } from '@probity/core';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** How long an access token is valid. */
export const SCIM_ACCESS_TOKEN_SECONDS = 3_600;

const ISSUER = 'probity';
const AUDIENCE = 'probity-scim';
const ALGORITHM = 'HS256';

/** Issues and verifies the access tokens of SCIM clients. */
export interface ScimAccessTokens {
  /** Issues a JWT (RFC 7519) for the SCIM token with this id; valid for 60 minutes. */
  issue(tokenId: string): Promise<string>;
  /** The id of the SCIM token; null for a token that was not issued here or has expired. */
  read(token: string): Promise<string | null>;
}

interface Verified {
  readonly keyId: string;
  readonly tokenId: string;
  readonly expiresAtMs: number;
}

/** Verifying a signature takes ten times as long as the rest of authentication. */
const MAX_REMEMBERED = 1_000;

/**
 * Creates the access tokens: HS256 and nothing else (RFC 8725, section 3.1). They are not stored: each names the
 * SCIM token that it was issued for, and ends with it.
 */
export function createScimAccessTokens({
  secretBox,
  clock,
}: {
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}): ScimAccessTokens {
  const remembered = new LRUCache<string, Verified>({ max: MAX_REMEMBERED });
  const signingKeys = () => secretBox.deriveKeys('scim access token');

  async function verify(token: string): Promise<Verified | null> {
    const cached = remembered.get(token);
    if (cached && signingKeys().some(({ id }) => id === cached.keyId)) return cached;
    const { kid } = decodeProtectedHeader(token);
    const signer = signingKeys().find(({ id }) => id === kid);
    if (!signer) return null;
    const { payload } = await jwtVerify(token, createSecretKey(signer.key), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'exp'],
      // Expiry is checked on every use instead.
      currentDate: new Date(0),
    });
    const { sub: tokenId = '', exp = 0 } = payload;
    const verified = { keyId: signer.id, tokenId, expiresAtMs: exp * 1_000 };
    remembered.set(token, verified);
    return verified;
  }

  return {
    async issue(tokenId) {
      const [current] = signingKeys();
      if (!current) throw new Error('No signing key is available.');
      const issuedAt = Math.floor(clock.now().getTime() / 1_000);
      return new SignJWT({})
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: current.id })
        .setSubject(tokenId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + SCIM_ACCESS_TOKEN_SECONDS)
        .sign(createSecretKey(current.key));
    },
    async read(token) {
      const verified = await verify(token).catch(() => null);
      return verified && clock.now().getTime() < verified.expiresAtMs ? verified.tokenId : null;
    },
  };
}
