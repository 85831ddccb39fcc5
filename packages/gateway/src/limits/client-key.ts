/** The organization of every caller: a gateway has one. */
export const GATEWAY_ORGANIZATION = 'gateway';

/** The caller of a request that is signed and has no key. */
export const SIGNED_CALLER = 'signed';

/** By what a client is counted, on every entrance the same. */
export function clientKey(name: string): string {
  return `general:${JSON.stringify([GATEWAY_ORGANIZATION, name])}`;
}
