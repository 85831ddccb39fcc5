import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { usageFailure } from '../failure.ts';
import { readText } from '../input.ts';
import type { Session } from '../server/session.ts';
import { createSessionClient } from '../server/session.ts';
import { readHiddenLine } from '../terminal/hidden-line.ts';
import { visible } from '../terminal/text.ts';
import type { Access, ServerFlags } from './access.ts';
import { checkKey, namedBaseUrl } from './access.ts';
import { DEFAULT_BASE_URL, parseApiPath } from './base-url.ts';
import { removeCredentials, writeCredentials } from './file.ts';
import type { Identity } from './identity.ts';
import { identify } from './identity.ts';
import { rightsOf, titleOf } from './whoami.ts';

/** Flags of `probity login`. */
export interface LoginFlags extends ServerFlags {
  readonly apiKey?: string;
  readonly apiKeyStdin?: true;
}

/**
 * Checks a key against the server and stores it. Where no server is named and none answers at the default
 * address, the key is stored unchecked, for the servers that later commands name.
 */
export async function login(flags: LoginFlags, context: CommandContext): Promise<ExitCode> {
  const { env, out, err } = context;
  const { key, source } = await readKey(flags, context);
  checkKey(key, source);
  const named = namedBaseUrl(flags.baseUrl, env);
  const apiPath = env.PROBITY_API_PATH ? parseApiPath(env.PROBITY_API_PATH) : null;
  const access: Access = { baseUrl: named ?? DEFAULT_BASE_URL, apiKey: key, apiPath, source };
  const client = await createSessionClient(access);
  const who = await check({ access, client }, named !== undefined, context);
  const path = writeCredentials(env, { apiKey: key, baseUrl: named ?? null });
  if (who === null) {
    await err.write(
      `probity: no server answers at ${DEFAULT_BASE_URL}: the key is not checked. ` +
        'Name the server with --base-url.\n',
    );
  } else {
    const name = visible(who.organizationName ?? who.organizationId);
    const rights = `${titleOf(who).toLowerCase()} ${rightsOf(who)}`;
    await out.write(`Logged in to ${access.baseUrl} as ${name}, with the ${rights}.\n`);
  }
  await out.write(`The API key is stored in ${path}.\n`);
  return EXIT.ok;
}

/** Whose the key is; null where no server is named and none answers at the default address. */
async function check(
  session: Session,
  isNamed: boolean,
  { signal }: CommandContext,
): Promise<Identity | null> {
  try {
    // The default address is asked once: often there is no server.
    return await identify(session, { signal, ...(isNamed ? {} : { retries: 0 }) });
  } catch (error) {
    const { ConnectionError, NotFoundError, ResponseError } = await import('@probity/client');
    const isAbsent = [ConnectionError, NotFoundError, ResponseError].some(
      (type) => error instanceof type,
    );
    if (!isNamed && isAbsent && !signal.aborted) return null;
    throw error;
  }
}

async function readKey(
  { apiKey, apiKeyStdin }: LoginFlags,
  context: CommandContext,
): Promise<{ key: string; source: string }> {
  const { env, stdin, err } = context;
  if (apiKey !== undefined) return { key: apiKey.trim(), source: '--api-key' };
  if (apiKeyStdin) {
    const text = await readText({ path: '-', maxBytes: 65_536 }, context);
    return { key: text.trim(), source: '--api-key-stdin' };
  }
  if (env.PROBITY_API_KEY) return { key: env.PROBITY_API_KEY.trim(), source: 'PROBITY_API_KEY' };
  if (stdin.isTTY && err.isTerminal) {
    return { key: (await readHiddenLine('API key: ', context)).trim(), source: 'the API key' };
  }
  throw usageFailure('no API key: give --api-key-stdin, PROBITY_API_KEY or --api-key');
}

/** Removes the stored key. */
export async function logout({ env, out }: CommandContext): Promise<ExitCode> {
  const wasStored = removeCredentials(env);
  await out.write(wasStored ? 'The stored API key is removed.\n' : 'No API key is stored.\n');
  return EXIT.ok;
}
