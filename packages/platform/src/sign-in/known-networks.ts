import { addressSubject } from '@probity/core/internal';

/** Networks from which a password was right: the IPv4 address, or the /64 network. */
export interface KnownNetworks {
  has(address: string | null): boolean;
  add(address: string | null): void;
}

/** Remembered networks; about a megabyte. */
const MAX_KNOWN = 10_000;

/** Creates the memory of one process, which forgets the network without a right password for longest. */
export function createKnownNetworks(): KnownNetworks {
  const known = new Set<string>();
  return {
    has: (address) => known.has(addressSubject(address)),
    add(address) {
      if (address === null) return;
      const network = addressSubject(address);
      known.delete(network);
      known.add(network);
      for (const oldest of known) {
        if (known.size <= MAX_KNOWN) break;
        known.delete(oldest);
      }
    },
  };
}
