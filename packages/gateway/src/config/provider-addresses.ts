import type { ConfigurationValues } from './schema.ts';
import type { Environment } from './substitution.ts';

type Models = ConfigurationValues['models'];
/** The keys of a provider. */
export type Provider = Models['providers'][string];

const CLOUD: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  cerebras: 'https://api.cerebras.ai/v1',
  cohere: 'https://api.cohere.ai/compatibility/v1',
  deepinfra: 'https://api.deepinfra.com/v1/openai',
  deepseek: 'https://api.deepseek.com/v1',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  groq: 'https://api.groq.com/openai/v1',
  huggingface: 'https://router.huggingface.co/v1',
  mistral: 'https://api.mistral.ai/v1',
  moonshot: 'https://api.moonshot.ai/v1',
  nvidia: 'https://integrate.api.nvidia.com/v1',
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  perplexity: 'https://api.perplexity.ai',
  sambanova: 'https://api.sambanova.ai/v1',
  together: 'https://api.together.xyz/v1',
  xai: 'https://api.x.ai/v1',
};

/** Servers on this machine, which need no API key. */
const LOCAL: Readonly<Record<string, string>> = {
  llamacpp: 'http://127.0.0.1:8080/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
  ollama: 'http://127.0.0.1:11434/v1',
  vllm: 'http://127.0.0.1:8000/v1',
};

const KNOWN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CLOUD),
  ...Object.entries(LOCAL),
]);

/** Ids of Azure, where each customer has an address. */
const AZURE: ReadonlySet<string> = new Set(['azure', 'azure_openai', 'azure-openai']);

/** The variable in which Azure's SDKs look for that address. */
export const AZURE_VARIABLE = 'AZURE_OPENAI_ENDPOINT';

/** The last dated version of Azure's interface that is not a preview. */
export const AZURE_API_VERSION = '2024-10-21';

/** Whether the address of a provider follows from its id, alone or with a variable. */
export function isKnownProvider(id: string): boolean {
  return KNOWN.has(id) || AZURE.has(id);
}

/** Whether a provider is one of Azure's by its id. */
export function isAzureId(id: string): boolean {
  return AZURE.has(id);
}

/** Whether the provider is known to refuse calls without an API key. */
export function needsApiKey(id: string, { base_url: url }: Provider): boolean {
  if (AZURE.has(id)) return true;
  const known = CLOUD[id];
  return known !== undefined && (url === undefined || new URL(url).host === new URL(known).host);
}

/** Where a provider is: as the configuration says, else as its id tells; undefined where neither does. */
export function addressOf(
  id: string,
  { base_url: url }: Pick<Provider, 'base_url'>,
  env: Environment,
): string | undefined {
  if (url !== undefined) return url;
  if (!AZURE.has(id)) return KNOWN.get(id);
  const named = env[AZURE_VARIABLE];
  return named !== undefined && /^https?:\/\//.test(named) && URL.canParse(named)
    ? named
    : undefined;
}

/** The providers with the addresses and versions that their ids stand for. */
export function withProviderAddresses(models: Models, env: Environment): Models {
  const providers = Object.entries(models.providers).map(([id, provider]) => {
    const base_url = addressOf(id, provider, env);
    const located: Provider = { ...provider, ...(base_url !== undefined && { base_url }) };
    const filled = isAzure(id, located) ? { api_version: AZURE_API_VERSION, ...located } : located;
    return [id, filled] as const;
  });
  return { ...models, providers: Object.fromEntries(providers) };
}

/** Whether the interface is that of Azure, with deployments and versions. */
export function isAzure(id: string, { deployment, api_version, base_url }: Provider): boolean {
  if (deployment !== undefined || api_version !== undefined) return true;
  // Azure's interface without versions has `/openai/v1` in its address.
  return AZURE.has(id) && !/\/openai\b/.test(base_url ?? '');
}

/** The known address with the host of another one. */
export function knownAddressAt(url: string): string | undefined {
  const { host } = new URL(url);
  return [...KNOWN.values()].find((known) => new URL(known).host === host);
}
