import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.mjs';

/**
 * The pages of docs/reference and the files of the gateway's configuration, made from the compiled
 * packages: what they list cannot differ from the code.
 * @returns {Promise<Map<string, string>>} Texts by path relative to the repository; none where there
 *   is no server, as in the repositories that tests of these scripts make.
 */
export async function referencePages() {
  if (!existsSync(join(root, 'packages/standalone'))) return new Map();
  const core = await import('../../packages/core/dist/src/index.js');
  const standalone = await import('../../packages/standalone/dist/src/index.js');
  const webhooks = await import('../../packages/webhooks/dist/src/index.js');
  const { groups, metrics } = await describeServer(core, standalone);
  return new Map([
    ['docs/reference/cli.md', await commandsPage()],
    ['docs/reference/errors.md', errorsPage(core)],
    ['docs/reference/events.md', eventsPage(webhooks)],
    ...(await gatewayFiles()),
    ['docs/reference/metrics.md', metricsPage('probity-server', metrics)],
    ...(await gatewayMetricsPages()),
    ['docs/reference/permissions.md', permissionsPage(core)],
    ['docs/reference/routes.md', routesPage(groups)],
    ['docs/reference/settings.md', settingsPage(standalone)],
  ]);
}

/**
 * The metrics and the job queues of the server; none where there is no server.
 */
export async function serverMetrics() {
  if (!existsSync(join(root, 'packages/standalone'))) return { metrics: [], queues: [] };
  const core = await import('../../packages/core/dist/src/index.js');
  const standalone = await import('../../packages/standalone/dist/src/index.js');
  const { metrics, queues } = await describeServer(core, standalone);
  return { metrics, queues };
}

/**
 * The metrics of the gateway.
 * @returns {Promise<{metrics: readonly import('./alert-rules.mjs').Metric[], queues: readonly string[]}>}
 */
export async function gatewayMetrics() {
  if (!existsSync(join(root, 'packages/gateway'))) return { metrics: [], queues: [] };
  const { METRICS } = await import('../../packages/gateway/dist/src/metrics/definitions.js');
  return { metrics: Object.values(METRICS), queues: [] };
}

/**
 * The OpenAPI document of the server with every capability.
 * @returns {Promise<object>}
 */
export async function serverDocument() {
  const core = await import('../../packages/core/dist/src/index.js');
  const standalone = await import('../../packages/standalone/dist/src/index.js');
  const http = await import('../../packages/core/dist/src/http/index.js');
  const { groups } = await describeServer(core, standalone);
  const info = { ...http.API_INFO, servers: ['https://probity.example'] };
  return http.createOpenApiDocument(info, groups);
}

/**
 * What the server consists of, on a database that is never used.
 * @param {typeof import('../../packages/core/dist/src/index.js')} core
 * @param {typeof import('../../packages/standalone/dist/src/index.js')} standalone
 */
async function describeServer(core, { createCapabilities, readConfig }) {
  const { createProgramGroups } = await import('../../packages/core/dist/src/http/index.js');
  const { createMemoryMaintenanceStorage } = await import(
    '../../packages/core/dist/src/internal.js'
  );
  const { metricsOf, queuesOf } = await import('../../packages/core/dist/src/program/index.js');
  const { createPostgresDatabase } = await import('../../packages/core/dist/src/sql/index.js');
  // Nothing is read or written, so that no connection is made.
  const database = createPostgresDatabase({ url: 'postgres://unused.invalid/unused' });
  try {
    const secretBox = core.createSecretBox([core.systemRandom(32)]);
    const runtime = core.createRuntime({ database, secretBox });
    const baseUrl = () => 'https://probity.example.com';
    const config = readConfig({}, {});
    const { all } = createCapabilities({ runtime, database, config, baseUrl });
    const storage = createMemoryMaintenanceStorage(core.createMemoryDatabase());
    const { clock } = runtime;
    const maintenance = core.createMaintenance({ storage, clock });
    const groups = createProgramGroups(all, { maintenance, checks: [], clock, baseUrl });
    return { groups, metrics: metricsOf(all), queues: queuesOf(all) };
  } finally {
    await database.close();
  }
}

/**
 * Where the stored pages differ from what the code says.
 * @param {ReadonlyMap<string, string>} pages
 * @returns {string[]}
 */
export function referenceFaults(pages) {
  return [...pages].flatMap(([path, text]) => {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return [];
    return [`${path} lags behind the code: run \`node scripts/reference.mjs --write\``];
  });
}

/** @param {string} title @param {string} intro @param {string[]} header @param {string[][]} rows */
function page(title, intro, header, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.map(escapeCell).join(' | ')} |\n`;
  const table = line(header) + line(header.map(() => '---')) + rows.map(line).join('');
  return `# ${title}\n\n<!-- Generated by scripts/reference.mjs; do not edit. -->\n\n${intro}\n\n${table}`;
}

function escapeCell(/** @type {string} */ text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const code = (/** @type {unknown} */ text) => `\`${text}\``;

/** What `probity --help` and the help of every command print. */
async function commandsPage() {
  const { createProgram } = await import('../../packages/cli/dist/src/program.js');
  const program = createProgram(() => async () => {});
  /** @type {string[]} */
  const sections = [];
  const add = (
    /** @type {ReturnType<typeof createProgram>} */ command,
    /** @type {string} */ parents,
  ) => {
    const name = `${parents}${command.name()}`;
    let help = '';
    const writeOut = (/** @type {string} */ text) => {
      help += text;
    };
    command.configureOutput({ writeOut, getOutHelpWidth: () => 100, getOutHasColors: () => false });
    command.outputHelp();
    sections.push(`## ${name}\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`);
    for (const each of command.commands) add(each, `${name} `);
  };
  add(program, '');
  const intro = 'What `--help` prints. What the commands are for: [docs/cli.md](../cli.md).';
  const generated = '<!-- Generated by scripts/reference.mjs; do not edit. -->';
  return `# Commands of probity\n\n${generated}\n\n${intro}\n\n${sections.join('\n')}`;
}

/** What is made of the one table of the gateway's keys; nothing where there is no gateway. */
async function gatewayFiles() {
  if (!existsSync(join(root, 'packages/gateway'))) return [];
  const from = '../../packages/gateway/dist/src/config';
  const { referenceRows } = await import(`${from}/reference.js`);
  const { exampleFile } = await import(`${from}/example.js`);
  const { configurationJsonSchema } = await import(`${from}/json-schema.js`);
  const reference = page(
    'Configuration of probity-gateway',
    'Every key of the YAML file. Reload: `at once` takes effect by a reload; `rebuilt` too, once that part of the gateway is ' +
      'built again; `restart` needs one. How the file is read: [docs/gateway.md](../gateway.md).',
    ['Key', 'Value', 'Default', 'Reload', 'Meaning'],
    referenceRows(),
  );
  return [
    ['docs/reference/gateway-configuration.md', reference],
    ['packages/gateway/gateway.example.yaml', exampleFile()],
    [
      'packages/gateway/gateway.schema.json',
      `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`,
    ],
  ];
}

/** @param {typeof import('../../packages/core/dist/src/index.js')} core */
function errorsPage({ ERROR_CATALOG }) {
  const rows = Object.entries(ERROR_CATALOG).map(
    ([kind, { status, platform, general, beta, message }]) => [
      code(kind),
      String(status),
      code(general),
      code(platform),
      code(beta),
      message,
    ],
  );
  return page(
    'Errors',
    'Every error of the services, by kind. The general API answers with the code under `error.code`, the ' +
      'platform interface with the string under `error`; there bad fields (`validation_failed`) are 400. `/beta` has the ' +
      '[codes of version 2](../versioning.md#the-trial-of-version-2).',
    ['Kind', 'Status', 'General API', 'Platform interface', 'Version 2', 'Default message'],
    rows,
  );
}

/** @param {typeof import('../../packages/core/dist/src/index.js')} core */
function permissionsPage({ PERMISSIONS, ROLES, ROLE_DESCRIPTIONS, hasPermission }) {
  const names = /** @type {(keyof typeof PERMISSIONS)[]} */ (Object.keys(PERMISSIONS)).sort();
  const roles = ROLES.map((role) => `- \`${role}\`: ${ROLE_DESCRIPTIONS[role]}`).join('\n');
  return page(
    'Permissions',
    `The one table that authorizes requests and that \`GET /v1/roles\` shows.\n\n${roles}`,
    ['Permission', ...ROLES],
    names.map((name) => [
      code(name),
      ...ROLES.map((role) => (hasPermission(role, name) ? 'yes' : '')),
    ]),
  );
}

/** @param {typeof import('../../packages/standalone/dist/src/index.js')} standalone */
function settingsPage({ SETTINGS }) {
  const rows = Object.values(SETTINGS).map((setting) => [
    setting.flag ? code(setting.flag) : '',
    setting.variable ? code(setting.variable) : '',
    setting.shownDefault ?? (setting.default ? code(setting.default) : 'none'),
    setting.meaning,
  ]);
  return page(
    'Settings of probity-server',
    'A flag of `probity-server serve` overrides its variable; a variable that is empty counts as not set.',
    ['Flag', 'Variable', 'Default', 'Meaning'],
    rows,
  );
}

/** @param {typeof import('../../packages/webhooks/dist/src/index.js')} webhooks */
function eventsPage({ PROBITY_EVENTS }) {
  const rows = Object.entries(PROBITY_EVENTS).map(([type, { description, example }]) => [
    code(type),
    description,
    code(JSON.stringify(example)),
  ]);
  return page(
    'Events',
    'The event types that webhooks can list, with an example of `data` in the envelope ' +
      '`{id, type, timestamp, data}`.',
    ['Type', 'Sent when', 'Example of data'],
    rows,
  );
}

/** @returns {Promise<readonly (readonly [string, string])[]>} */
async function gatewayMetricsPages() {
  const { metrics } = await gatewayMetrics();
  if (metrics.length === 0) return [];
  return [['docs/reference/gateway-metrics.md', metricsPage('probity-gateway', metrics)]];
}

/**
 * @param {string} program
 * @param {readonly import('./alert-rules.mjs').Metric[]} metrics
 */
function metricsPage(program, metrics) {
  const rows = [...metrics]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, kind, labels, help = '' }) => [
      ...[code(name), kind, labels.map(code).join(', '), help],
    ]);
  return page(
    `Metrics of ${program}`,
    'Served at `/metrics` of the metrics port, beside the metrics of the Node process.',
    ['Metric', 'Kind', 'Labels', 'Meaning'],
    rows,
  );
}

/** @param {readonly import('../../packages/core/dist/src/http/index.js').EndpointGroup[]} groups */
function routesPage(groups) {
  const rows = groups.flatMap(({ prefix, endpoints }) =>
    endpoints.flatMap(
      ({ method, path, aliases = [], permission, scoped, plan, rateLimit, summary }) =>
        [path, ...aliases].map((each) => [
          code(`${method} ${prefix}${each}`),
          summary,
          code(permission),
          scoped ? code(scoped.scope) : '',
          plan ?? '',
          rateLimit,
        ]),
    ),
  );
  return page(
    'Routes of probity-server',
    'Every endpoint with the permission that the role of the caller needs, the scope that a credential of ' +
      'limited scope needs (without one it is refused), the least plan where one is needed, and the rate limit that a call counts against. `GET /openapi.json` has the schemas.',
    ['Route', 'Summary', 'Permission', 'Scope', 'Plan', 'Rate limit'],
    rows,
  );
}
