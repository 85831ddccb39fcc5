/** More than the requests of one application server in front of it. */
export const CONNECTION_LIMITS = { connectionsPerAddress: 10_000, requestsPerAddress: 2_000 };

/** Names the key of the configuration whose port cannot be listened on. */
export async function named(key: string, start: () => Promise<string>): Promise<string> {
  try {
    return await start();
  } catch (cause) {
    throw new Error(`${key} cannot be used: ${(cause as Error).message}`, { cause });
  }
}
