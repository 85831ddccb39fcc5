import { lookup } from 'node:dns/promises';

/**
 * Resolves every IPv4 and IPv6 address of a name, in the order in which they should be tried;
 * rejects when there are none or when the query fails.
 */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * The operating system's resolver (getaddrinfo), including the hosts file. It cannot be canceled.
 */
export const systemLookup: Lookup = async (name) => {
  const answers = await lookup(name, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
};
