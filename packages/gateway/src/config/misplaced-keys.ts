import type { KeyPath } from './issues.ts';
import { toPathText } from './issues.ts';
import type { SchemaNode } from './json-schema.ts';
import { configurationJsonSchema } from './json-schema.ts';
import { isKnownProvider } from './provider-addresses.ts';

/** Keys that other programs have, or that people expect elsewhere, by their names without case and signs. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...names('monitoring.health_check.port', 'httpport', 'http', 'healthport', 'restport', 'apiport'),
  ...names('monitoring.prometheus.port', 'metricsport', 'prometheusport', 'metrics'),
  ...names('server.port for gRPC, monitoring.health_check.port for HTTP', 'port', 'ports'),
  ...names('server.port', 'grpcport', 'grpc', 'listenport'),
  ...names('server.host', 'bind', 'bindaddress', 'listen', 'address', 'hostname'),
  ...names('server.workers', 'processes', 'threads', 'concurrency', 'numworkers'),
  ...names('server.request_timeout_ms', 'timeout', 'timeoutms', 'requesttimeout'),
  ...names('server.max_payload_size', 'maxbodysize', 'bodylimit', 'maxpayload'),
  ...names('logging.level', 'loglevel'),
  ...names('logging.file', 'logfile'),
]);

/** The same of a provider of models. */
const MEANT_OF_PROVIDER: ReadonlyMap<string, string> = new Map([
  ...names('base_url', 'url', 'baseurl', 'endpoint', 'apibase', 'apiurl', 'host', 'address'),
  ...names('api_key', 'key', 'apikey', 'token', 'secret', 'authorization'),
  ...names('deployment', 'deploymentid', 'deploymentname', 'azuredeployment'),
  ...names('api_version', 'version', 'apiversion'),
  ...names('models', 'model'),
]);

function names(key: string, ...others: readonly string[]): (readonly [string, string])[] {
  return others.map((name) => [name, key]);
}

/**
 * Says which key was meant by one that does not exist: a provider or a model in the wrong section, another program's
 * name, or a key of another section.
 *
 * @returns an empty text where nothing is known
 */
export function meantKey(path: KeyPath, value: unknown): string {
  const name = String(path.at(-1));
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  if (path[0] === 'models') {
    if (path.length === 2) return belowModels(name, value);
    if (path[1] === 'providers' && path.length === 4) {
      const meant = MEANT_OF_PROVIDER.get(plain);
      return meant === undefined ? '' : ` Write ${meant}.`;
    }
    return '';
  }
  if (path[0] === 'stage_config' && path.length === 3 && name === 'enabled') {
    return ` Write {name: ${path[1]}, enabled: ${value === true}} in scanning.stages.`;
  }
  const meant = MEANT.get(plain);
  if (meant !== undefined) return ` Write ${meant}.`;
  const others = [...keysBelow('', configurationJsonSchema())].filter((each) =>
    each.endsWith(`.${name}`),
  );
  if (others.length === 0 || others.length > 3) return '';
  return ` Write ${others.join(', or ')}.`;
}

/** Paths of all sections and keys below a section. */
function* keysBelow(path: string, node: SchemaNode): Generator<string> {
  for (const [name, each] of Object.entries(node.properties ?? {})) {
    const below = path === '' ? name : `${path}.${name}`;
    yield below;
    yield* keysBelow(below, each);
  }
}

/** Providers are below `providers`, and models below a provider. */
function belowModels(name: string, value: unknown): string {
  const isKeyed = typeof value === 'object' && value !== null;
  if (isKnownProvider(name)) return ` Write ${toPathText(['models', 'providers', name])}.`;
  if (isKeyed && ['api_key', 'base_url', 'models', 'deployment'].some((key) => key in value)) {
    return ` Write ${toPathText(['models', 'providers', name])}.`;
  }
  const every = name === '*' ? ' for every model of a provider' : '';
  const path = `models.providers.<id>.${toPathText(['models', name])}`;
  return ` Write ${path}: {enabled: true}${every}.`;
}
