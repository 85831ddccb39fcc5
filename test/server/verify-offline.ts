import { createHash } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { createLocalJWKSet, jwtVerify } from 'jose';

/** Whether a certificate is genuine, has not expired, and is about this text. */
export async function isCertified(
  text: string,
  jws: string,
  { issuer, keySet }: { issuer: string; keySet: JSONWebKeySet },
): Promise<boolean> {
  const { payload } = await jwtVerify(jws, createLocalJWKSet(keySet), {
    issuer,
    algorithms: ['EdDSA'],
    typ: 'probity-certificate+jwt',
  });
  return payload.content_hash === createHash('sha256').update(text).digest('hex');
}
