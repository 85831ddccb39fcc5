import { Resolver } from 'node:dns/promises';
import { errorCode } from './failure.ts';
import { readHostsFile } from './hosts-file.ts';

/**
 * Resolves every IPv4 and IPv6 address of a name, in the order in which they should be tried, and
 * ends its queries when the signal is aborted. Rejects as `node:dns` does, with the code ENOTFOUND
 * or ENODATA when the name does not exist or has no address; see {@link isNoAddress} for others.
 */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const ANSWERS = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ESERVFAIL', 'EREFUSED'];
const MALFORMED_ANSWERS = ['EFORMERR', 'ENOTIMP', 'EBADRESP'];

/**
 * Whether a rejection of a lookup is an answer of a name server, which gave no address. Failures
 * that the servers of a name's zone can choose are answers too: only silence is none.
 */
export function isNoAddress(error: unknown): boolean {
  return [...ANSWERS, ...MALFORMED_ANSWERS].includes(errorCode(error));
}

/** Where a lookup reads; the defaults are those of the operating system. */
export interface LookupOptions {
  /** Addresses of name servers, each with an optional port; default: /etc/resolv.conf. */
  readonly servers?: readonly string[];
  /** Path of the hosts file. */
  readonly hostsFile?: string;
}

/**
 * Time limit of a query's first try in milliseconds; the second takes up to twice as long. Together
 * they stay below the time limit of a lookup.
 */
const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;

/**
 * Once one address family is known, the other one is waited for this long (RFC 8305, section 3:
 * "Resolution Delay").
 */
const RESOLUTION_DELAY_MS = 50;

/**
 * Creates a lookup that reads the hosts file, then queries the name servers for both address
 * families. Every lookup has sockets of its own (c-ares): unlike getaddrinfo, which blocks one of
 * the few threads of the process until it ends, a name that never answers delays no other one, and
 * its queries end with the signal. Search domains do not apply, so names must be complete.
 */
export function createLookup({ servers, hostsFile }: LookupOptions = {}): Lookup {
  return async (name, signal) => {
    const bare = name.replace(/\.$/, '').toLowerCase();
    const local = (await readHostsFile(hostsFile)).get(bare);
    if (local) return local;
    // RFC 6761, section 6.3: never sent to a name server.
    if (bare === 'localhost' || bare.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      return await resolveBoth(resolver, bare);
    } finally {
      signal.removeEventListener('abort', cancel);
      cancel();
    }
  };
}

/** The lookup of this machine. */
export const systemLookup: Lookup = createLookup();

/** IPv4 first: where there is no route for IPv6, its addresses are only tried after a failure. */
async function resolveBoth(resolver: Resolver, name: string): Promise<readonly string[]> {
  const families = [resolver.resolve4(name), resolver.resolve6(name)];
  const answers: string[][] = [[], []];
  const failures: unknown[] = [];
  await new Promise<void>((resolve) => {
    let pending = families.length;
    for (const [index, family] of families.entries()) {
      family
        .then(
          (addresses) => {
            answers[index] = addresses;
            if (addresses.length > 0) setTimeout(resolve, RESOLUTION_DELAY_MS);
          },
          (error: unknown) => failures.push(error),
        )
        .finally(() => {
          pending -= 1;
          if (pending === 0) resolve();
        });
    }
  });
  const addresses = answers.flat();
  if (addresses.length > 0) return addresses;
  // Answers may be empty, as of a loop of aliases (CNAME).
  throw failures.find((error) => !isNoAddress(error)) ?? failures[0] ?? noData(name);
}

function noData(name: string): Error {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENODATA' });
}
