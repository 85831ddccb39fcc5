import type { ProbityApi } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { Access, ServerFlags } from '../credentials/access.ts';
import { findAccess, warnOfAccess } from '../credentials/access.ts';
import { packageVersion } from '../version.ts';

/** A server with the key for it. */
export interface Session {
  readonly access: Access;
  readonly client: ProbityApi;
}

/**
 * Opens a session on the server of a command, without a request.
 * @throws CommandFailure without a key, or for settings that are wrong
 */
export async function openSession(flags: ServerFlags, context: CommandContext): Promise<Session> {
  const access = findAccess(flags, context);
  await warnOfAccess(access, context);
  return { access, client: await createSessionClient(access) };
}

/** A person waits: a server that is not there is told after about a second. */
const RETRIES = 2;

/** The client of a session. */
export async function createSessionClient(access: Access): Promise<ProbityApi> {
  const { createClient } = await import('@probity/client');
  const { baseUrl, apiKey, apiPath } = access;
  return createClient({
    baseUrl,
    apiKey,
    userAgent: userAgent(),
    retries: RETRIES,
    ...(apiPath === null ? {} : { paths: { general: apiPath } }),
  });
}

/** The product of the header User-Agent. */
export function userAgent(): string {
  return `probity-cli/${packageVersion()}`;
}
