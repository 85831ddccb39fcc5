import type { CommandContext, Environment } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import {
  DEFAULT_BASE_URL,
  isUnprotected,
  parseApiPath,
  parseBaseUrl,
  requireNoApiPath,
} from './base-url.ts';
import { credentialsPath, isReadableByOthers, readCredentials } from './file.ts';

/** The server of a command and the key for it. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Path of the general API in an application that embeds it; null for that of `probity-server`. */
  readonly apiPath: string | null;
  /** Where the key was found, as messages name it. */
  readonly source: string;
}

/** Flags of every command that calls a server. */
export interface ServerFlags {
  readonly baseUrl?: string;
}

/**
 * The server and the key: `--base-url`, `PROBITY_BASE_URL`, the stored address or the default; and
 * `PROBITY_API_KEY` or the stored key.
 * @throws CommandFailure without a key, or with one that is stored for another server
 */
export function findAccess({ baseUrl: flag }: ServerFlags, { env }: CommandContext): Access {
  const named = namedBaseUrl(flag, env);
  const apiPath = env.PROBITY_API_PATH ? parseApiPath(env.PROBITY_API_PATH) : null;
  const given = env.PROBITY_API_KEY?.trim();
  if (given) {
    checkKey(given, 'PROBITY_API_KEY');
    const baseUrl = named ?? readCredentials(env)?.baseUrl ?? DEFAULT_BASE_URL;
    return { baseUrl, apiKey: given, apiPath, source: 'PROBITY_API_KEY' };
  }
  const stored = readCredentials(env);
  if (stored === null) {
    const remedy = 'run `probity login`, or set PROBITY_API_KEY';
    throw new CommandFailure(EXIT.access, `no API key: ${remedy}`);
  }
  if (named !== undefined && stored.baseUrl !== null && named !== stored.baseUrl) {
    throw new CommandFailure(
      EXIT.access,
      `the stored API key is for ${stored.baseUrl} and is not sent to ${named}: ` +
        `run \`probity login --base-url ${named}\`, or set PROBITY_API_KEY`,
    );
  }
  const baseUrl = named ?? stored.baseUrl ?? DEFAULT_BASE_URL;
  return { baseUrl, apiKey: stored.apiKey, apiPath, source: credentialsPath(env) };
}

/** Tells what endangers the key. */
export async function warnOfAccess(access: Access, { env, err }: CommandContext): Promise<void> {
  if (isUnprotected(access.baseUrl)) {
    await err.write(`probity: ${access.baseUrl} is not https: the network can read the API key\n`);
  }
  if (access.source === credentialsPath(env) && isReadableByOthers(env)) {
    await err.write(
      `probity: other users can read ${access.source}: run \`chmod 600 ${access.source}\`\n`,
    );
  }
}

/** The address that `--base-url` or `PROBITY_BASE_URL` names; undefined without. */
export function namedBaseUrl(flag: string | undefined, env: Environment): string | undefined {
  const [text, source] =
    flag === undefined ? [env.PROBITY_BASE_URL, 'PROBITY_BASE_URL'] : [flag, '--base-url'];
  if (text === undefined || (text === '' && flag === undefined)) return undefined;
  const baseUrl = parseBaseUrl(text, source);
  if (!env.PROBITY_API_PATH) requireNoApiPath(baseUrl, source);
  return baseUrl;
}

/** @throws CommandFailure for what cannot be sent in a header; the message does not repeat it */
export function checkKey(key: string, source: string): void {
  if (/^[\x21-\x7e]{8,4096}$/.test(key)) return;
  throw usageFailure(`${source}: an API key is 8 or more visible ASCII characters without spaces`);
}
