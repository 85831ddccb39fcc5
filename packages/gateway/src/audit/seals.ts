import { createHmac, timingSafeEqual } from 'node:crypto';
import type { GatewayKey } from '../compliance/gateway-key.ts';

/** The ends of a chain, and since which act they are sealed. */
export interface SealedEnds {
  readonly name: string;
  /** The last act. */
  readonly sequence: number;
  readonly hash: string;
  /** The last act that retention has deleted. */
  readonly kept_sequence: number;
  readonly kept_hash: string;
  /** The first act that was recorded under the seal. */
  readonly sealed_from: number | null;
}

/** Seals the ends of a chain with a key that its database does not have. */
export interface ChainSealer {
  seal(ends: SealedEnds): string;
  /** Whether a seal was made for these ends, by the current key or a former one that is still configured. */
  isValid(ends: SealedEnds, seal: string): boolean;
}

const LABEL = 'audit-chain';

/** Creates the seals (HMAC-SHA-256) from the key of the gateway. */
export function createChainSealer(key: GatewayKey): ChainSealer {
  return {
    seal: (ends) => mac(key.derive(LABEL), ends).toString('hex'),
    isValid: (ends, seal) =>
      key.deriveAll(LABEL).some((each) => isEqual(mac(each, ends), Buffer.from(seal, 'hex'))),
  };
}

function mac(key: Uint8Array, ends: SealedEnds): Buffer {
  const { name, sequence, hash, kept_sequence, kept_hash, sealed_from } = ends;
  const facts = [name, sequence, hash, kept_sequence, kept_hash, sealed_from];
  return createHmac('sha256', key).update(JSON.stringify(facts)).digest();
}

function isEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
