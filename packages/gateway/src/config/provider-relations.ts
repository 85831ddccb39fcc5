import {
  ALL_MODELS,
  ANTHROPIC_PROVIDER,
  createModelRoutes,
  nameOf,
} from '../proxy/model-routes.ts';
import type { Checks } from './checks.ts';
import type { KeyPath } from './issues.ts';
import type { Provider } from './provider-addresses.ts';
import {
  AZURE_VARIABLE,
  addressOf,
  isAzure,
  isAzureId,
  knownAddressAt,
  needsApiKey,
} from './provider-addresses.ts';

/** Warns of providers whose models cannot be called, or would be refused. */
export function checkProviders(checks: Checks): void {
  const { values, tree, env, warn } = checks;
  for (const [id, provider] of Object.entries(values.models.providers)) {
    const at: KeyPath = ['models', 'providers', id];
    warnOfDefaults(id, provider, checks);
    if (!provider.enabled) continue;
    const { base_url: url, deployment } = provider;
    if (!tree.has([...at, 'base_url']) && addressOf(id, provider, env) === undefined) {
      const remedy = isAzureId(id)
        ? `set base_url to the address of your Azure resource, or the environment variable ${AZURE_VARIABLE}`
        : 'set base_url to the address of the provider';
      warn(at, `its models cannot be called: ${id} has no known address; ${remedy}`);
    }
    const better = url === undefined ? undefined : betterAddress(id, provider, url);
    if (better) warn([...at, 'base_url'], better);
    if (!tree.has([...at, 'api_key']) && needsApiKey(id, provider)) {
      warn(at, `${id} refuses calls without an API key; set api_key to $\{NAME} and the variable`);
    }
    const models = Object.values(provider.models);
    if (models.some(({ enabled }) => enabled)) continue;
    const isUnset = deployment === undefined && !tree.has([...at, 'models']);
    if (models.length > 0 || isUnset) {
      warn(
        at,
        "no model of it may be called; add one below models with enabled: true, or '*' for all",
      );
    }
  }
}

/** Warns of a provider, or a model of one in use, that is off for want of `enabled`. */
function warnOfDefaults(id: string, { enabled, models }: Provider, { tree, warn }: Checks): void {
  const at: KeyPath = ['models', 'providers', id];
  const message = 'it is off, as enabled is missing; write enabled: true or enabled: false';
  if (!tree.has([...at, 'enabled'])) warn(at, message);
  // A provider without any model in use has its own warning.
  if (!enabled || !Object.values(models).some((model) => model.enabled)) return;
  for (const name of Object.keys(models)) {
    if (!tree.has([...at, 'models', name, 'enabled'])) warn([...at, 'models', name], message);
  }
}

/** Names a mistake in the path of an address. */
function betterAddress(id: string, provider: Provider, url: string): string | undefined {
  const { pathname } = new URL(url);
  const [written] =
    /\/(?:chat\/completions|completions|responses|messages|embeddings)\/?$/.exec(pathname) ?? [];
  if (written) return `the path of the interface is added to it; write it without ${written}`;
  if (pathname !== '/' || isAzure(id, provider)) return undefined;
  const known = knownAddressAt(url);
  if (known === url.replace(/\/$/, '')) return undefined;
  return known
    ? `the address of that provider is ${known}`
    : 'it has no path; most servers of the interface need /v1 at its end';
}

/** Checks that fallbacks name models that are on, and warns of names that two providers share. */
export function checkFallbacks({ values, error, warn }: Checks): void {
  const routes = createModelRoutes(values);
  values.models.fallbacks.forEach(({ model, to }, at) => {
    const path: KeyPath = ['models', 'fallbacks', at];
    const unknown = (name: string) => `${name} is no model that is on`;
    const first = routes.find(model);
    if (!first) error([...path, 'model'], unknown(model));
    to.forEach((name, index) => {
      const other = routes.find(name);
      if (!other) error([...path, 'to', index], unknown(name));
      else if (first && nameOf(other) === nameOf(first))
        error([...path, 'to', index], `is ${nameOf(other)} itself`);
    });
  });
  const [first, ...others] = routes.all.filter(({ modelId }) => modelId === ALL_MODELS);
  for (const { providerId } of others) {
    if (providerId === ANTHROPIC_PROVIDER) continue;
    const path = ['models', 'providers', providerId, 'models', ALL_MODELS];
    warn(
      path,
      `models that no provider lists are called at ${first?.providerId}; call those of this one as ${providerId}/MODEL`,
    );
  }
  for (const route of routes.all) {
    if (route.modelId === ALL_MODELS) continue;
    const named = routes.find(route.modelId);
    if (named === undefined || named === route) continue;
    const { providerId, modelId } = route;
    const path = ['models', 'providers', providerId, 'models', modelId];
    warn(path, `${modelId} is ${nameOf(named)}; this one is called as ${nameOf(route)}`);
  }
}
