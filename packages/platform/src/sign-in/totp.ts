import type { Random } from '@probity/core';
import { Secret, TOTP } from 'otpauth';

/**
 * Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, steps of 30 seconds, as all apps use.
 */
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;

/** Tolerated clock drift in steps (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1;

/** Generates a new secret in base 32. */
export function newTotpSecret(random: Random): string {
  const bytes = random(SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** The `otpauth:` URL that authenticator apps read as a QR code. */
export function totpUrl(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/** The time step that a one-time password is for, or null when it matches none around `now`. */
export function findTotpStep(secret: string, otp: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: otp, timestamp, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Probity',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
