import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@probity/core';
import type { Replays } from './replays.ts';
import { SIGNATURE_WINDOW_SECONDS } from './replays.ts';

/** A signature as it is sent: the headers, or the metadata of gRPC, of the same names. */
export interface PresentedSignature {
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

/** What is wrong with a signature; null where nothing is. */
export type SignatureFault = 'missing' | 'malformed' | 'expired' | 'wrong' | 'replayed' | null;

/** Checks signatures of requests. */
export interface Signatures {
  /** Looks at what comes before the body: whether there is a signature, and of now. */
  checkHead(presented: PresentedSignature): SignatureFault;
  /** Checks a signature over the bytes of the body, and takes it once. */
  check(presented: PresentedSignature, body: Uint8Array): Promise<SignatureFault>;
}

const FORM = /^sha256=([0-9a-f]{64})$/;
const TIMESTAMP = /^\d{1,12}(?:\.\d{1,6})?$/;

/**
 * Creates the checks. A signature is `sha256=` and the hexadecimal HMAC-SHA-256 of the timestamp (Unix
 * seconds, decimals allowed), a dot, and the bytes of the body.
 *
 * @param keys those in force, the new one first, separated by a comma
 */
export function createSignatures(clock: Clock, keys: () => string, replays: Replays): Signatures {
  const checkHead = ({ signature, timestamp }: PresentedSignature): SignatureFault => {
    if (signature === undefined || timestamp === undefined) return 'missing';
    if (!FORM.test(signature) || !TIMESTAMP.test(timestamp)) return 'malformed';
    const awayMs = Math.abs(clock.now().getTime() - Number(timestamp) * 1_000);
    return awayMs <= SIGNATURE_WINDOW_SECONDS * 1_000 ? null : 'expired';
  };
  return {
    checkHead,
    async check(presented, body) {
      const fault = checkHead(presented);
      if (fault !== null) return fault;
      const { signature = '', timestamp = '' } = presented;
      const given = Buffer.from(FORM.exec(signature)?.[1] ?? '', 'hex');
      // All keys are tried, so that the time does not tell which one is right.
      const matches = keys()
        .split(',')
        .map((key) => timingSafeEqual(sign(key, timestamp, body), given));
      if (!matches.includes(true)) return 'wrong';
      return (await replays.takeOnce(`${timestamp} ${signature}`)) ? null : 'replayed';
    },
  };
}

function sign(key: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body).digest();
}
