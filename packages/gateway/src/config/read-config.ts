import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { BackendsValue } from './backends-file.ts';
import { readBackends } from './backends-file.ts';
import { builtInModel } from './data-keys.ts';
import { withFilePaths } from './file-paths.ts';
import { withHipaa } from './hipaa.ts';
import type { Issue, KeyPath } from './issues.ts';
import { sortIssues } from './issues.ts';
import { withProviderAddresses } from './provider-addresses.ts';
import { relationIssues } from './relations.ts';
import type { ConfigurationValues } from './schema.ts';
import { configurationSchema } from './schema.ts';
import { toSourceText } from './source-text.ts';
import { withStageFiles } from './stage-files.ts';
import { stageOptionIssues } from './stage-options.ts';
import type { Environment } from './substitution.ts';
import type { Guess } from './type-issues.ts';
import { toIssues } from './type-issues.ts';
import { upgradeVersion1 } from './version-1.ts';
import { rightPartOf } from './wrong-values.ts';
import { parseYamlTree, treeOfPart } from './yaml-tree.ts';

/** The values that are in force: those of the file, with defaults and with what modes force. */
export type GatewayConfig = Omit<
  ConfigurationValues,
  'pii_detection' | 'pii_threshold' | 'server' | 'embeddings' | 'scanning'
> & {
  readonly scanning: ConfigurationValues['scanning'] & {
    readonly backends?: BackendsValue | undefined;
  };
  readonly server: ConfigurationValues['server'] & { readonly workers: number };
  readonly embeddings: ConfigurationValues['embeddings'] & { readonly model: string };
};

/** What a file says. */
export interface ReadConfig {
  /** Undefined where there is an error. */
  readonly config: GatewayConfig | undefined;
  /** All errors and warnings, in the order of the file. */
  readonly issues: readonly Issue[];
}

/**
 * Checks the bytes of a configuration file. Nothing else is opened, no port, no database, no path that the
 * file names, but for files of terms, of protected texts and of back ends, and the certificates where `security.mtls_enabled` is on.
 *
 * @param folder that of the file: paths in it are relative to it
 * @param keyNames the names of the API keys; undefined where they are not known
 */
export async function readConfig(
  bytes: Uint8Array,
  env: Environment,
  folder: string,
  keyNames?: ReadonlySet<string>,
): Promise<ReadConfig> {
  const source = toSourceText(bytes);
  if ('issue' in source) return { config: undefined, issues: [source.issue] };
  const tree = parseYamlTree(source.text, env);
  if (tree.value === undefined) return { config: undefined, issues: sortIssues(tree.issues) };
  const parsed = configurationSchema.safeParse(tree.value, { reportInput: true });
  const wrong = parsed.error?.issues ?? [];
  const guess = wrong.length === 0 ? () => '' : await loadGuess();
  // What could not be read has been told already.
  const told = new Set(tree.issues.map(({ path }) => path));
  const typed = toIssues(wrong, tree, guess).filter(({ path }) => !told.has(path));
  // The other checks are made without the values that are wrong, so that all errors are told at once.
  const right = parsed.success
    ? { values: parsed.data, placeOf: (path: KeyPath) => path }
    : rightPartOf(configurationSchema, tree.value, wrong);
  const part = treeOfPart(tree, right?.placeOf ?? ((path) => path));
  const upgraded = right && upgradeVersion1(withFilePaths(right.values, folder), part);
  const filled = upgraded && withStageFiles(upgraded.values, part, folder);
  const read = filled && (await readBackends(filled.values, part, env));
  const issues = sortIssues([
    ...tree.issues,
    ...typed,
    ...(upgraded?.issues ?? []),
    ...(upgraded ? relationIssues(upgraded.values, part, { env, keyNames }) : []),
    ...(filled?.issues ?? []),
    ...(filled ? await stageOptionIssues(filled, part) : []),
    ...(read?.issues ?? []),
  ]);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length === 0 && filled) {
    return { config: toEffective(filled.values, env, read?.backends), issues };
  }
  const wrongPaths = new Set(errors.map(({ path }) => path));
  const isWorth = ({ severity, path }: Issue) => severity === 'error' || !wrongPaths.has(path);
  return { config: undefined, issues: issues.filter(isWorth) };
}

/** Default number of serving processes on a machine with as many processors. */
const MOST_WORKERS = 4;

/** A typing error is guessed by what the pipeline knows of names; loaded only where there is an error. */
async function loadGuess(): Promise<Guess> {
  return (await import('@probity/pipeline')).didYouMean;
}

function toEffective(
  values: ConfigurationValues,
  env: Environment,
  backends: BackendsValue | undefined,
): GatewayConfig {
  const { pii_detection: _, pii_threshold: __, ...config } = values;
  const { security, compliance } = config;
  const request_signing = security.request_signing ?? security.signing_key !== undefined;
  const models = withProviderAddresses(config.models, env);
  const { workers = Math.min(MOST_WORKERS, availableParallelism()) } = config.server;
  const { model = builtInModel(config.embeddings.dimension) } = config.embeddings;
  const signed = {
    ...config,
    models,
    scanning: { ...config.scanning, ...(backends && { backends }) },
    embeddings: { ...config.embeddings, model },
    server: { ...config.server, workers },
    security: { ...security, request_signing },
  };
  return compliance.hipaa_mode ? withHipaa(signed) : signed;
}

const SECRETS = new Set(['api_key', 'authorization', 'password', 'signing_key']);

/**
 * Names a configuration by its values: 16 hexadecimal digits of a SHA-256. Secrets count as set or not:
 * the hash is public, and must not serve to guess them.
 */
export function hashConfig(config: GatewayConfig): string {
  const text = JSON.stringify(config, (name, value: unknown) => {
    if (SECRETS.has(name) && typeof value === 'string') return 'set';
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
