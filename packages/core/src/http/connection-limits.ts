/** How many connections and unanswered requests a server holds. */
export interface ConnectionLimits {
  /** Open connections of all clients. */
  readonly connections: number;
  /** Open connections of one client address; a trusted proxy's are counted in `connections` only. */
  readonly connectionsPerAddress: number;
  /** Requests of all clients whose answer has not been taken. */
  readonly requests: number;
  /** Those of one client address. */
  readonly requestsPerAddress: number;
}

/** The default limits. */
export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = Object.freeze({
  connections: 10_000,
  connectionsPerAddress: 1_000,
  requests: 2_000,
  requestsPerAddress: 500,
});

const NAMES: ReadonlyMap<string, keyof ConnectionLimits> = new Map([
  ['connections', 'connections'],
  ['address_connections', 'connectionsPerAddress'],
  ['requests', 'requests'],
  ['address_requests', 'requestsPerAddress'],
]);

/**
 * Parses `connections=10000,address_connections=1000,requests=2000,address_requests=500`; limits
 * that are not named keep their default.
 * @throws Error that names the invalid entry
 */
export function parseConnectionLimits(text: string): ConnectionLimits {
  const limits = { ...DEFAULT_CONNECTION_LIMITS };
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, name = '', number] = /^(\w+)=([1-9]\d{0,6})$/.exec(entry) ?? [];
    const limit = NAMES.get(name);
    if (!limit) {
      throw new Error(`"${entry}" is not of the form ${[...NAMES.keys()].join('|')}=NUMBER`);
    }
    Object.assign(limits, { [limit]: Number(number) });
  }
  return limits;
}
