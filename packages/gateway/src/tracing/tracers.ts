import { readFile } from 'node:fs/promises';
import type { Clock, Logger } from '@probity/core';
import type { GatewayConfig } from '../config/read-config.ts';
import type { Environment } from '../config/substitution.ts';
import { createSpanLosses } from './losses.ts';
import type { SpanProvider } from './provider.ts';
import type { TracingSettings } from './settings.ts';
import { tracingSettings } from './settings.ts';
import type { Tracing } from './tracing.ts';

/** The traces of configurations; one whose settings stay the same keeps its exporter over reloads. */
export interface Tracers {
  /**
   * What begins traces under a configuration; null where tracing is off, and then nothing of OpenTelemetry is
   * loaded.
   *
   * @throws Error when `observability.ca_cert_path` cannot be read, or a variable of the environment has no right value
   */
  open(config: GatewayConfig): Promise<Tracing | null>;
  /** Those of other configurations are flushed, and closed when the requests that began under them have ended. */
  use(tracing: Tracing | null): void;
  /** Sends what has ended, for so long at most, and 3 seconds at least. */
  close(limitMs: number): Promise<void>;
}

/** What a gateway that ends waits for a receiver at least: less than a primary waits for its workers in any case. */
const LEAST_CLOSE_MS = 3_000;
/** Of a configuration that is no longer in force; an export ends by itself before. */
const RETIRE_MS = 60_000;

/** Creates the traces of a process. */
export function createTracers(parts: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Environment;
}): Tracers {
  const losses = createSpanLosses(parts.clock, parts.logger);
  const providers = new Map<string, SpanProvider>();
  const closing = new Set<Promise<void>>();
  const close = (provider: SpanProvider, name: string, limitMs = RETIRE_MS) => {
    if (providers.get(name) === provider) providers.delete(name);
    const closed = provider.close(limitMs).finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const retire = (provider: SpanProvider, name: string) => {
    providers.delete(name);
    if (provider.open() === 0) close(provider, name);
    else {
      void provider.flush();
      retired.set(provider, name);
      provider.onIdle(() => {
        retired.delete(provider);
        close(provider, name);
      });
    }
  };
  const retired = new Map<SpanProvider, string>();
  return {
    async open(config) {
      const settings = tracingSettings(config, parts.env);
      if (settings === null) return null;
      const ca = await readCa(settings);
      const name = JSON.stringify([settings, ca]);
      const known = providers.get(name);
      if (known) return known;
      const { openSpanProvider } = await import('./provider.ts');
      const provider = providers.get(name) ?? openSpanProvider(settings, ca, losses);
      providers.set(name, provider);
      return provider;
    },
    use(tracing) {
      for (const [name, provider] of providers) if (provider !== tracing) retire(provider, name);
    },
    async close(limitMs) {
      const most = Math.max(LEAST_CLOSE_MS, limitMs);
      for (const [name, provider] of providers) close(provider, name, most);
      for (const [provider, name] of retired) close(provider, name, most);
      await Promise.all(closing);
      losses.close();
    },
  };
}

async function readCa({ caPath }: TracingSettings): Promise<string | undefined> {
  if (caPath === undefined) return undefined;
  try {
    const text = await readFile(caPath, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`observability.ca_cert_path: ${caPath} cannot be read (${code})`);
  }
  throw new Error(`observability.ca_cert_path: ${caPath} holds no certificate (PEM)`);
}
