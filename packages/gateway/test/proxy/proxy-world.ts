import type { TestLifetime } from '@probity/test-support';
import OpenAI from 'openai';
import type { GatewayWorld, WorldOptions } from '../world.ts';
import { LOOPBACK, startGateway } from '../world.ts';
import type { ModelServer } from './model-server.ts';
import { startModel } from './model-server.ts';

/** The provider's API key, which no output may have. */
export const PROVIDER_KEY = 'sk-provider-5f2a9c';
export const SSN = '536-22-8145';
export const MAIL = 'jane@example.org';
const FILLER = 'The parcel left the warehouse this morning and will arrive in two or three days. ';
export const LONG = FILLER.repeat(12);

/** A gateway in front of a model's server, and a client of the gateway. */
export interface ProxyWorld {
  readonly world: GatewayWorld;
  readonly model: ModelServer;
  readonly client: OpenAI;
  /** Calls without an SDK. */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; text: string }>;
}

/** The provider that the tests call; `more` are further lines of it. */
export function providerText(url: string, more: readonly string[] = []): string {
  const lines = [
    'models:',
    '  providers:',
    '    local:',
    '      enabled: true',
    `      base_url: ${url}`,
    '      api_key: ${PROVIDER_KEY}',
    ...more.map((line) => `      ${line}`),
    '      models:',
    '        m: {enabled: true}',
    '        off: {enabled: false}',
  ];
  return `${lines.join('\n')}\n`;
}

/** Starts both; `text` is further configuration, below other sections than `models`. */
export async function startProxy(
  t: TestLifetime,
  {
    text = '',
    models,
    listen = LOOPBACK,
    ...options
  }: WorldOptions & {
    readonly text?: string;
    readonly models?: (url: string) => string;
    /** The sections of the listeners. */
    readonly listen?: string;
  } = {},
): Promise<ProxyWorld> {
  const model = await startModel(t);
  const world = await startGateway(t, listen + (models ?? providerText)(model.url) + text, {
    ...options,
    env: { PROVIDER_KEY, ...options.env },
  });
  const client = new OpenAI({ apiKey: world.token, baseURL: `${world.url}/v1`, maxRetries: 0 });
  return {
    world,
    model,
    client,
    async post(path, body, headers = {}) {
      const response = await fetch(world.url + path, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${world.token}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}
