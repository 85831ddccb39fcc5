import type { GatewayConfig } from '../config/read-config.ts';
import type { Environment } from '../config/substitution.ts';

/** What spans are exported with: keys of the configuration, and the environment variables of OpenTelemetry. */
export interface TracingSettings {
  /** Of the receiver, with its path. */
  readonly url: string;
  readonly sampleRate: number;
  readonly caPath: string | undefined;
  readonly propagation: GatewayConfig['observability']['propagation'];
  readonly hasGenAi: boolean;
  /** Sent with each export; may hold a secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isCompressed: boolean;
  /** For an export with all its attempts. */
  readonly timeoutMs: number;
  /** Between two exports. */
  readonly delayMs: number;
  /** Spans that wait at most, in each process. */
  readonly queueSize: number;
  readonly batchSize: number;
  /** Attributes of the resource. */
  readonly resource: Readonly<Record<string, string>>;
}

const PATH = '/v1/traces';
const GEN_AI_OPT_IN = 'gen_ai_latest_experimental';

/**
 * The settings of a configuration; null where tracing is off.
 *
 * @throws Error naming the environment variable that has no right value
 */
export function tracingSettings(
  { observability }: Pick<GatewayConfig, 'observability'>,
  env: Environment,
): TracingSettings | null {
  const { tracing_enabled, otel_endpoint, sample_rate, propagation } = observability;
  if (!tracing_enabled || otel_endpoint === undefined) return null;
  const optIns = (env.OTEL_SEMCONV_STABILITY_OPT_IN ?? '').split(',').map((each) => each.trim());
  const resource = pairsOf(env, 'OTEL_RESOURCE_ATTRIBUTES');
  const compression = variable(env, 'COMPRESSION') ?? 'none';
  if (compression !== 'gzip' && compression !== 'none') {
    throw new Error('OTEL_EXPORTER_OTLP_COMPRESSION must be gzip or none');
  }
  const queueSize = countOf(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048);
  return {
    url: withPath(otel_endpoint),
    sampleRate: sample_rate,
    caPath: observability.ca_cert_path,
    propagation,
    hasGenAi: observability.gen_ai_attributes || optIns.includes(GEN_AI_OPT_IN),
    headers: {
      ...pairsOf(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...pairsOf(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    isCompressed: compression === 'gzip',
    timeoutMs: countOf(env, 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
    delayMs: countOf(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
    queueSize,
    batchSize: Math.min(queueSize, countOf(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512)),
    resource: {
      'service.name': 'probity-gateway',
      ...resource,
      ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
    },
  };
}

function withPath(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(PATH) ? path : path + PATH;
  return url.href;
}

function variable(env: Environment, name: string): string | undefined {
  return env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] ?? env[`OTEL_EXPORTER_OTLP_${name}`];
}

/** `name=value,name=value`, percent-encoded, as OpenTelemetry writes lists in the environment. */
function pairsOf(env: Environment, name: string): Record<string, string> {
  const parts = (env[name] ?? '').split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [key = '', ...rest] = part.split('=');
      if (key.trim() === '' || rest.length === 0) throw wrongPairs(name);
      try {
        return [key.trim(), decodeURIComponent(rest.join('=').trim())];
      } catch {
        throw wrongPairs(name);
      }
    }),
  );
}

/** The value may be a secret, and is not repeated. */
function wrongPairs(name: string): Error {
  return new Error(`${name} must be a list such as name=value,other=value`);
}

function countOf(env: Environment, name: string, value: number): number {
  const given = env[name];
  if (given === undefined || given === '') return value;
  const count = Number(given);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`${name} must be a whole number above 0`);
}
