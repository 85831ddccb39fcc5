import { dirname } from 'node:path';
import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { keyNamesOf } from '../api-keys/keys-location.ts';
import { formatIssue } from '../config/issues.ts';
import type { Provider } from '../config/provider-addresses.ts';
import { readConfig } from '../config/read-config.ts';
import type { ProgramContext } from './context.ts';
import { readConfigFile } from './read-file.ts';

const PATIENCE_MS = 10_000;

/**
 * `check`: validates a configuration, and asks each provider that is enabled once for its list of models, which costs
 * nothing.
 *
 * @returns 0 where the file is valid and every provider takes the gateway's key, else 1
 */
export async function checkCommand(file: string, context: ProgramContext): Promise<0 | 1> {
  const { env, out, err } = context;
  const names = keyNamesOf(file, env);
  const { config, issues } = await readConfig(readConfigFile(file), env, dirname(file), names);
  for (const issue of issues) err(`${formatIssue(file, issue)}\n`);
  if (config === undefined) return 1;
  const enabled = Object.entries(config.models.providers).filter(([, { enabled }]) => enabled);
  if (enabled.length === 0) {
    out(`${file}: valid; no provider is enabled\n`);
    return 0;
  }
  const faults = await Promise.all(
    enabled.map(async ([id, provider]) => {
      const { isGood, text } = await checkProvider(id, provider);
      out(`${id}: ${text}\n`);
      return isGood ? 0 : 1;
    }),
  );
  return faults.some((fault) => fault === 1) ? 1 : 0;
}

interface Checked {
  readonly isGood: boolean;
  readonly text: string;
}

async function checkProvider(id: string, provider: Provider): Promise<Checked> {
  const at = `models.providers.${id}`;
  const { base_url: address, api_key: key } = provider;
  if (address === undefined) {
    return { isGood: false, text: `has no known address; set ${at}.base_url` };
  }
  const { url, headers } = listOf(address, provider);
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { statusCode: status, body } = await request(url, { headers, signal });
    if (status >= 200 && status < 300) {
      return { isGood: true, text: `ok${missingIn(await idsOf(body), provider)}` };
    }
    await body.dump();
    if (status === 401 || status === 403) {
      const remedy = key === undefined ? `set ${at}.api_key` : `check ${at}.api_key`;
      return { isGood: false, text: `refuses the API key (status ${status}); ${remedy}` };
    }
    const remedy = status === 404 ? `; check the path of ${at}.base_url, most end in /v1` : '';
    return { isGood: false, text: `answers with status ${status}${remedy}` };
  } catch (error) {
    const { name, code = name } = error as NodeJS.ErrnoException;
    return { isGood: false, text: `cannot be reached (${code}); check ${at}.base_url` };
  }
}

/** The address of the list of models, with the credentials that it takes. */
function listOf(address: string, { api_key: key, api_version: version, ...provider }: Provider) {
  const base = address.replace(/\/+$/, '');
  const headers: Record<string, string> = { ...provider.headers };
  if (version !== undefined) {
    if (key !== undefined) headers['api-key'] = key;
    const url = `${base}/openai/models?api-version=${encodeURIComponent(version)}`;
    return { url, headers };
  }
  if (new URL(address).host === 'api.anthropic.com') {
    headers['anthropic-version'] = '2023-06-01';
    if (key !== undefined) headers['x-api-key'] = key;
  } else if (key !== undefined) headers.authorization = `Bearer ${key}`;
  return { url: `${base}/models`, headers };
}

/** The ids of a list of models; null where the answer has none. */
async function idsOf(body: Dispatcher.ResponseData['body']): Promise<ReadonlySet<string> | null> {
  try {
    const { data } = (await body.json()) as {
      readonly data?: readonly { readonly id?: unknown }[];
    };
    // Google lists its models as `models/NAME`.
    const ids = data?.map((each) => String(each.id).replace(/^models\//, ''));
    return ids && ids.length > 0 ? new Set(ids) : null;
  } catch {
    return null;
  }
}

/** Names enabled models that the provider does not list; deployments have names of their owner. */
function missingIn(ids: ReadonlySet<string> | null, { models, api_version }: Provider): string {
  if (ids === null || api_version !== undefined) return '';
  const missing = Object.entries(models)
    .filter(([id, { enabled }]) => enabled && id !== '*' && !ids.has(id))
    .map(([id]) => id);
  return missing.length === 0 ? '' : `, but it does not list ${missing.join(', ')}`;
}
