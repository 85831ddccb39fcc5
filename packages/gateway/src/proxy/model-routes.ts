import type { GatewayConfig } from '../config/read-config.ts';

type Provider = GatewayConfig['models']['providers'][string];

/** A model that may be called, and where. */
export interface ModelRoute {
  readonly providerId: string;
  readonly provider: Provider;
  /** As the configuration names it, and the provider knows it. */
  readonly modelId: string;
  /** Most requests within a minute; absent for no limit. */
  readonly requestsPerMinute: number | undefined;
}

/** The models that may be called. */
export interface ModelRoutes {
  /** By `MODEL`, the first provider that has it, by `PROVIDER/MODEL`, or by a deployment; undefined for all others. */
  find(name: string): ModelRoute | undefined;
  /** The model of a name, and those that may answer in its place, in order; empty where there is no such model. */
  withFallbacks(name: string): readonly ModelRoute[];
  /** The models that are on, in the order of the configuration. */
  readonly all: readonly ModelRoute[];
}

/** Where providers are whose `base_url` is not set. */
export const KNOWN_BASE_URLS: ReadonlyMap<string, string> = new Map([
  ['openai', 'https://api.openai.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1'],
]);

/** Makes the table of the models that are on, of the providers that are on. */
export function createModelRoutes({ models }: Pick<GatewayConfig, 'models'>): ModelRoutes {
  const all: ModelRoute[] = [];
  const byName = new Map<string, ModelRoute>();
  const add = (name: string, route: ModelRoute) => {
    if (!byName.has(name)) byName.set(name, route);
  };
  for (const [providerId, provider] of Object.entries(models.providers)) {
    if (!provider.enabled) continue;
    for (const [modelId, { enabled, max_requests_per_minute }] of Object.entries(provider.models)) {
      if (!enabled) continue;
      all.push({ providerId, provider, modelId, requestsPerMinute: max_requests_per_minute });
    }
  }
  // A model's own name wins over one that is put together.
  for (const route of all) add(route.modelId, route);
  for (const route of all) {
    add(`${route.providerId}/${route.modelId}`, route);
    if (route.provider.deployment !== undefined) add(route.provider.deployment, route);
  }
  const fallbacksOf = (route: ModelRoute) =>
    models.fallbacks
      .filter(({ model }) => byName.get(model) === route)
      .flatMap(({ to }) => to.map((name) => byName.get(name)));
  return {
    all,
    find: (name) => byName.get(name),
    withFallbacks(name) {
      const route = byName.get(name);
      if (route === undefined) return [];
      const others = fallbacksOf(route).filter((each) => each !== undefined);
      return [...new Set([route, ...others])];
    },
  };
}

/** A model as log, headers and limits name it: `PROVIDER/MODEL`. */
export function nameOf({ providerId, modelId }: ModelRoute): string {
  return `${providerId}/${modelId}`;
}

/** The same for a header: percent-encoded where it has other than ASCII characters. */
export function headerNameOf(route: ModelRoute): string {
  return nameOf(route).replace(/[^ -~]+/gu, encodeURIComponent);
}

/** What a request to a provider is sent to. */
export interface UpstreamTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The address and the credentials of a call.
 *
 * @param path such as `/chat/completions`
 * @param style how the interface carries the API key
 */
export function targetOf(
  { provider, providerId }: ModelRoute,
  path: string,
  style: 'bearer' | 'x-api-key',
): UpstreamTarget {
  const { api_key: apiKey, deployment, api_version: version } = provider;
  const base = (provider.base_url ?? KNOWN_BASE_URLS.get(providerId) ?? '').replace(/\/+$/, '');
  if (deployment !== undefined && version !== undefined) {
    // Responses name their deployment in the body.
    const below = path === '/responses' ? '' : `/deployments/${encodeURIComponent(deployment)}`;
    const url = new URL(`${base}/openai${below}${path}`);
    url.searchParams.set('api-version', version);
    return { url, headers: apiKey === undefined ? {} : { 'api-key': apiKey } };
  }
  const url = new URL(base + path);
  if (apiKey === undefined) return { url, headers: {} };
  const headers: Record<string, string> =
    style === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
  return { url, headers };
}

/** The name of the model in the body of a request: a deployment stands for it. */
export function upstreamModel({ provider, modelId }: ModelRoute): string {
  return provider.deployment ?? modelId;
}
