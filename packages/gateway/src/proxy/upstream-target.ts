import type { ModelRoute } from './model-routes.ts';
import { proxyError } from './proxy-error.ts';

/** Address and credentials of a request to a provider. */
export interface UpstreamTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The address and the credentials of a call.
 *
 * @param path such as `/chat/completions`
 * @param style how the interface carries the API key
 * @throws ProbityError with status 503 where the configuration does not say where the provider is
 */
export function targetOf(
  { provider, providerId, modelId }: ModelRoute,
  path: string,
  style: 'bearer' | 'x-api-key',
): UpstreamTarget {
  const {
    api_key: apiKey,
    base_url: address,
    deployment = modelId,
    api_version: version,
  } = provider;
  if (address === undefined) {
    throw proxyError({
      status: 503,
      message: `The provider ${providerId} has no address. Set models.providers.${providerId}.base_url in the configuration of the gateway.`,
      type: 'server_error',
      code: 'provider_without_address',
    });
  }
  const { headers: fixed } = provider;
  const base = address.replace(/\/+$/, '');
  if (version !== undefined) {
    // Responses name their deployment in the body.
    const below = /^\/responses(?:\/|$)/.test(path)
      ? ''
      : `/deployments/${encodeURIComponent(deployment)}`;
    const url = new URL(`${base}/openai${below}${path}`);
    url.searchParams.set('api-version', version);
    return { url, headers: { ...fixed, ...(apiKey !== undefined && { 'api-key': apiKey }) } };
  }
  const url = new URL(base + path);
  if (apiKey === undefined) return { url, headers: fixed };
  const credential: Record<string, string> =
    style === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
  return { url, headers: { ...fixed, ...credential } };
}
