import type { GatewayConfig } from '../config/read-config.ts';

type Provider = GatewayConfig['models']['providers'][string];

/** A model that may be called, and where. */
export interface ModelRoute {
  readonly providerId: string;
  readonly provider: Provider;
  /** As the provider knows it. */
  readonly modelId: string;
  /** As the configuration names it: the same, or `*`. */
  readonly entry: string;
  /** Most requests within a minute; absent for no limit. */
  readonly requestsPerMinute: number | undefined;
}

/** The models that may be called. */
export interface ModelRoutes {
  /**
   * By `MODEL`, the first provider that has it, by `PROVIDER/MODEL`, or by a deployment; then by the provider `home`
   * if its models are all on (`*`), or by the first one whose are.
   */
  find(name: string, home?: string): ModelRoute | undefined;
  /** The model of a name, and those that may answer in its place, in order; empty where there is no such model. */
  withFallbacks(name: string, home?: string): readonly ModelRoute[];
  /** The models that `nameOf` names so: one, or several where ids have slashes. */
  withName(name: string): readonly ModelRoute[];
  /** The models that are on, in the order of the configuration; where all of a provider are, one with the id `*`. */
  readonly all: readonly ModelRoute[];
}

/** The name that stands for all models of a provider. */
export const ALL_MODELS = '*';

/** The provider that gets the models that no provider lists, by Anthropic's interface. */
export const ANTHROPIC_PROVIDER = 'anthropic';

/** Makes the table of the models that are on, of the providers that are on. */
export function createModelRoutes({ models }: Pick<GatewayConfig, 'models'>): ModelRoutes {
  const all: ModelRoute[] = [];
  const byName = new Map<string, ModelRoute>();
  const add = (name: string, route: ModelRoute) => {
    if (!byName.has(name)) byName.set(name, route);
  };
  for (const [providerId, provider] of Object.entries(models.providers)) {
    if (!provider.enabled) continue;
    for (const [modelId, { enabled, max_requests_per_minute }] of modelsOf(provider)) {
      if (!enabled) continue;
      all.push({
        ...{ providerId, provider, modelId, entry: modelId },
        requestsPerMinute: max_requests_per_minute,
      });
    }
  }
  const named = all.filter(({ entry }) => entry !== ALL_MODELS);
  const open = all.filter(({ entry }) => entry === ALL_MODELS);
  // A model's own name wins over one that is put together.
  for (const route of named) add(route.modelId, route);
  for (const route of named) {
    add(nameOf(route), route);
    if (route.provider.deployment !== undefined) add(route.provider.deployment, route);
  }
  const find = (name: string, home?: string) => byName.get(name) ?? findOpen(open, name, home);
  const fallbacks = new Map<string, string[]>();
  for (const { model, to } of models.fallbacks) {
    const route = find(model);
    if (route === undefined) continue;
    fallbacks.set(nameOf(route), [...(fallbacks.get(nameOf(route)) ?? []), ...to]);
  }
  return {
    all,
    find,
    withFallbacks(name, home) {
      const route = find(name, home);
      if (route === undefined) return [];
      const others = (fallbacks.get(nameOf(route)) ?? []).map((each) => find(each));
      const found = [route, ...others.filter((each) => each !== undefined)];
      return [...new Map(found.map((each) => [nameOf(each), each])).values()];
    },
    withName(name) {
      const listed = named.filter((route) => nameOf(route) === name);
      const route = listed.length === 0 ? findOpen(open, name) : undefined;
      return route && nameOf(route) === name ? [route] : listed;
    },
  };
}

const MODEL_NAME = /^[^\p{Cc}]{1,256}$/u;

/** A model that the configuration does not list, of a provider whose models are all on. */
function findOpen(
  open: readonly ModelRoute[],
  name: string,
  home?: string,
): ModelRoute | undefined {
  if (!MODEL_NAME.test(name)) return undefined;
  const prefixOf = ({ providerId }: ModelRoute) => `${providerId}/`;
  const owner = open.find((route) => name.startsWith(prefixOf(route)));
  const modelId = owner === undefined ? name : name.slice(prefixOf(owner).length);
  const candidates = open.filter(({ provider }) => !Object.hasOwn(provider.models, modelId));
  const atHome = candidates.find(({ providerId }) => providerId === home);
  const route = owner ?? atHome ?? candidates[0];
  // A listed model that is not on is off.
  if (!route || modelId === '' || Object.hasOwn(route.provider.models, modelId)) return undefined;
  return { ...route, modelId };
}

/** A deployment without a list of models is the one model of its provider. */
function modelsOf({ models, deployment }: Provider): [string, Provider['models'][string]][] {
  const listed = Object.entries(models);
  return listed.length > 0 || deployment === undefined ? listed : [[deployment, { enabled: true }]];
}

/** A model as log, headers and limits name it: `PROVIDER/MODEL`. */
export function nameOf({ providerId, modelId }: ModelRoute): string {
  return `${providerId}/${modelId}`;
}

/** The entry of the configuration for a model, whose limit all its models share: `PROVIDER/MODEL` or `PROVIDER/*`. */
export function entryNameOf({ providerId, entry }: ModelRoute): string {
  return `${providerId}/${entry}`;
}

/** The name of a model for a header: percent-encoded where it has other than ASCII characters. */
export function headerNameOf(route: ModelRoute): string {
  return nameOf(route).replace(/[^ -~]+/gu, encodeURIComponent);
}

/** The name of the model in the body of a request: a deployment stands for it. */
export function upstreamModel({ provider, modelId }: ModelRoute): string {
  return provider.deployment ?? modelId;
}
