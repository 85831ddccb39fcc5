import { readTlsMaterial } from '../tls/material.ts';
import type { Checks } from './checks.ts';
import { builtInDimension, builtInModel } from './data-keys.ts';
import { isLoopback } from './forms.ts';
import { hipaaOverrides } from './hipaa.ts';
import type { Issue, KeyPath } from './issues.ts';
import { errorAt, warningAt } from './issues.ts';
import { checkFallbacks, checkProviders } from './provider-relations.ts';
import type { ConfigurationValues } from './schema.ts';
import { stageConfigKeys } from './stage-keys.ts';
import { FURTHER_STAGES } from './stage-names.ts';
import type { YamlTree } from './yaml-tree.ts';

/** What keys demand of each other. */
export function relationIssues(
  values: ConfigurationValues,
  tree: YamlTree,
  surroundings: Pick<Checks, 'env' | 'keyNames'>,
): Issue[] {
  const issues: Issue[] = [];
  const checks: Checks = {
    values,
    tree,
    ...surroundings,
    error: (path, message) => issues.push(errorAt(tree.placeOf(path), tree.pathOf(path), message)),
    warn: (path, message) => issues.push(warningAt(tree.placeOf(path), tree.pathOf(path), message)),
  };
  checkNeeds(checks);
  checkCertificates(checks);
  checkStages(checks);
  checkFurtherStages(checks);
  checkPorts(checks);
  checkHealthPath(checks);
  checkProviders(checks);
  checkFallbacks(checks);
  checkBudgets(checks);
  checkHipaa(checks);
  checkAudit(checks);
  checkEmbeddings(checks);
  return issues;
}

/** A key that is on and needs others; reported at the line of the key that needs them. */
function checkNeeds({ values, tree, error, warn }: Checks): void {
  const { logging, observability, security } = values;
  // What is there and wrong has been told.
  const needs = (path: KeyPath, needed: readonly [section: string, name: string]) => {
    if (!tree.has(needed)) error(path, `needs ${needed.join('.')}`);
  };
  if (logging.syslog_enabled) needs(['logging', 'syslog_enabled'], ['logging', 'syslog_host']);
  if (observability.tracing_enabled) {
    needs(['observability', 'tracing_enabled'], ['observability', 'otel_endpoint']);
  }
  if (security.mtls_enabled) {
    for (const name of ['client_cert_path', 'client_key_path', 'ca_cert_path']) {
      needs(['security', 'mtls_enabled'], ['security', name]);
    }
  }
  if (security.request_signing) needs(['security', 'request_signing'], ['security', 'signing_key']);
  for (const path of secretPaths(values)) {
    if (tree.has(path) && tree.variablesAt(path).length === 0) {
      warn(path, 'the secret stands in the file; write $' + '{NAME} and set the variable');
    }
  }
}

/** The files are read only where they are used. */
function checkCertificates({ values, error, warn }: Checks): void {
  const { security } = values;
  if (!security.mtls_enabled) return;
  for (const { severity, key, message } of readTlsMaterial(security, new Date()).faults) {
    (severity === 'error' ? error : warn)(['security', key], message);
  }
}

function secretPaths({ models, mcp }: ConfigurationValues): KeyPath[] {
  const providers = Object.keys(models.providers);
  return [
    ['security', 'signing_key'],
    ['caching', 'password'],
    ...providers.map((id) => ['models', 'providers', id, 'api_key']),
    ...Object.keys(mcp.servers).map((id) => ['mcp', 'servers', id, 'authorization']),
  ];
}

function checkStages({ values, tree, error, warn }: Checks): void {
  const { stages } = values.scanning;
  const names = stages.map(({ name }) => name);
  names.forEach((name, at) => {
    if (names.indexOf(name) === at) return;
    error(['scanning', 'stages', at, 'name'], `${name} is listed twice`);
  });
  if (!stages.some(({ enabled }) => enabled)) {
    warn(['scanning', 'stages'], 'no stage is on: nothing is scanned');
  }
  const { action } = values.stage_config.hallucination_detector;
  if (action === 'block') return;
  const thresholds: KeyPath[] = [
    ['stage_config', 'hallucination_detector', 'threshold'],
    ...stages.flatMap(({ name }, at): KeyPath[] =>
      name === 'hallucination_detector' ? [['scanning', 'stages', at, 'threshold']] : [],
    ),
  ];
  for (const path of thresholds.filter((each) => tree.has(each))) {
    warn(
      path,
      'the stage only flags; to block, set stage_config.hallucination_detector.action: block',
    );
  }
}

/** Stages that are off unless they are listed, and one that has nothing to look for by itself. */
function checkFurtherStages({ values, tree, error, warn }: Checks): void {
  const { stages } = values.scanning;
  const { terms_scanner } = values.stage_config;
  const terms = stages.findIndex(({ name, enabled }) => name === 'terms_scanner' && enabled);
  // An entry that is wrong is not among the values.
  const hasEntry = (['lists', 'patterns'] as const).some(
    (key) => terms_scanner[key].length > 0 || tree.has(['stage_config', 'terms_scanner', key, 0]),
  );
  if (terms >= 0 && !hasEntry) {
    const message = 'needs stage_config.terms_scanner.lists or stage_config.terms_scanner.patterns';
    error(['scanning', 'stages', terms, 'name'], message);
  }
  const defaults = stageConfigKeys.parse(undefined);
  for (const name of FURTHER_STAGES) {
    const isSet = JSON.stringify(values.stage_config[name]) !== JSON.stringify(defaults[name]);
    if (!isSet || stages.some((stage) => stage.name === name)) continue;
    warn(['stage_config', name], `the stage is off: ${name} is not in scanning.stages`);
  }
}

function checkPorts({ values, tree, error }: Checks): void {
  const { server, monitoring } = values;
  const { health_check, prometheus } = monitoring;
  const ports: [KeyPath, number, string][] = [
    [['server', 'port'], server.port, 'gRPC'],
    [['monitoring', 'health_check', 'port'], health_check.port, 'HTTP'],
    [['monitoring', 'prometheus', 'port'], prometheus.enabled ? prometheus.port : 0, 'metrics'],
  ];
  ports.forEach((one, at) => {
    const other = ports.slice(0, at).find(([, taken]) => one[1] !== 0 && taken === one[1]);
    if (!other) return;
    // The key that the file has is the one to change.
    const [[path, port], [taken, , purpose]] = tree.has(one[0]) ? [one, other] : [other, one];
    error(
      path,
      `port ${port} is ${taken.join('.')} as well, the port of ${purpose}; write another`,
    );
  });
}

/** Paths of the port of HTTP that have another endpoint. */
const OWN_PATHS = /^\/(?:(?:ready|reload-config|erase-user)$|(?:v1|api|mcp|openai)(?:\/|$))/;

function checkHealthPath({ values, error }: Checks): void {
  const { path } = values.monitoring.health_check;
  if (!OWN_PATHS.test(path)) return;
  const message = `${path} belongs to another endpoint of the gateway; write another path, such as /health`;
  error(['monitoring', 'health_check', 'path'], message);
}

/** Calls that name no limit of their own would all be refused. */
function checkBudgets({ values, error, warn, keyNames }: Checks): void {
  const budgets = values.models.token_budgets;
  budgets.forEach(({ key, tokens_per_day: most, answer_tokens: answer }, at) => {
    const path: KeyPath = ['models', 'token_budgets', at];
    if (budgets.findIndex((each) => each.key === key) < at) {
      error([...path, 'key'], `${key} has a budget already`);
    }
    if (key !== '*' && keyNames?.has(key) === false) {
      warn([...path, 'key'], `there is no API key with the name ${key}`);
    }
    if (most === 0 || answer <= most) return;
    const message = `must be at least answer_tokens, which is ${answer}, or 0`;
    error([...path, 'tokens_per_day'], message);
  });
}

/** What HIPAA mode forces; false for hashing is refused, everything else is overridden. */
function checkHipaa({ values, tree, error, warn }: Checks): void {
  const { compliance, security, server } = values;
  if (!compliance.hipaa_mode) return;
  if (!compliance.hash_pii_in_logs) {
    error(['compliance', 'hash_pii_in_logs'], 'must not be false with compliance.hipaa_mode');
  }
  for (const { path, isOther, value } of hipaaOverrides(values)) {
    if (isOther && tree.has(path)) warn(path, `compliance.hipaa_mode overrides it: ${value}`);
  }
  if (!security.mtls_enabled && !isLoopback(server.host)) {
    const message = 'the listeners take plain text from other machines; see security.mtls_enabled';
    warn(['compliance', 'hipaa_mode'], message);
  }
}

const RESERVED = /^(?:sqlite_|pg_|probity_|gateway_token_|gateway_(?:audit_chains|signatures)$)/i;

function checkAudit({ values, error }: Checks): void {
  if (!RESERVED.test(values.audit.table_name)) return;
  const message =
    'names that begin with sqlite_, pg_, probity_ and gateway_token_, gateway_audit_chains and gateway_signatures are taken';
  error(['audit', 'table_name'], message);
}

function checkEmbeddings({ values, error }: Checks): void {
  const { embeddings, stage_config } = values;
  const { dimension } = embeddings;
  const named: [KeyPath, string | undefined][] = [
    [['embeddings', 'model'], embeddings.model],
    [['stage_config', 'truth_scan', 'embedding_model'], stage_config.truth_scan.embedding_model],
  ];
  for (const [path, name] of named) {
    const own = name === undefined ? undefined : builtInDimension(name);
    if (own === undefined || own === dimension) continue;
    const message = `${name} has ${own} dimensions, and embeddings.dimension is ${dimension}; write ${builtInModel(dimension)}`;
    error(path, message);
  }
}
