import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { read } from './read.ts';
import { BOOLEANS, ENUMS, LISTS, NUMBERS, REFERENCE, TEXTS } from './specification.ts';

/** A configuration with one key; `more` are further keys. */
function fileOf(path: string, value: unknown, more: Readonly<Record<string, unknown>> = {}) {
  const root: Record<string, unknown> = {};
  for (const [name, each] of Object.entries({ ...more, [path]: value })) {
    const names = name.split('.');
    const last = names.pop() as string;
    const holder = names.reduce<Record<string, unknown>>((held, part) => {
      held[part] ??= {};
      return held[part] as Record<string, unknown>;
    }, root);
    holder[last] = each;
  }
  return stringify(root);
}

async function valueIn(text: string, path: string): Promise<unknown> {
  const { config, issues } = await read(text);
  assert.ok(config, issues.map(({ path: at, message }) => `${at}: ${message}`).join('\n'));
  return path
    .split('.')
    .reduce<unknown>((held, name) => (held as Record<string, unknown>)[name], config);
}

/** The paths of the errors that a configuration has. */
async function errorPathsOf(text: string): Promise<readonly string[]> {
  const { issues } = await read(text);
  return issues.filter(({ severity }) => severity === 'error').map(({ path }) => path);
}

/** Keys that need others when they are on. */
const NEEDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'logging.syslog_enabled': { 'logging.syslog_host': 'syslog.example.com' },
  'observability.tracing_enabled': { 'observability.otel_endpoint': 'http://127.0.0.1:4318' },
  'security.request_signing': { 'security.signing_key': 'a key of 16 letters' },
  // Client certificates are read when they are on.
  'compliance.hash_pii_in_logs': {},
};

/** Values of wrong types. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  boolean: ['true', 'yes', 1, 0, null, [true], { on: true }],
  integer: ['10', 1.5, true, null, [10], { n: 10 }],
  number: ['0.5', true, null, [0.5], { n: 0.5 }],
  text: [5, true, null, ['a'], { a: 1 }],
  list: ['a', 5, true, null, { a: 1 }],
};

async function refusesWrongTypes(path: string, type: string) {
  for (const value of WRONG[type] ?? []) {
    // An empty value is the default list.
    if (type === 'list' && value === null) continue;
    const errors = await errorPathsOf(fileOf(path, value));
    assert.ok(
      errors.some((each) => each === path || each.startsWith(`${path}.`)),
      `${path}: ${JSON.stringify(value)} → ${errors.join(', ') || 'accepted'}`,
    );
  }
}

test('the reference file of the specification is valid, with the values that it shows', async () => {
  const env = { API_KEY: 'k', PASSWORD: 'p', SIGNING_KEY: 'a key of 16 letters' };
  const { config, issues } = await read(REFERENCE, env);
  assert.deepEqual(
    issues.filter(({ severity }) => severity === 'error'),
    [],
  );
  assert.equal(config?.models.providers.azure?.deployment, 'my-deployment');
  assert.equal(config?.models.providers.azure?.models['gpt-4o']?.max_requests_per_minute, 300);
  assert.equal(config?.embeddings.model, 'text-embedding-3-small');
});

for (const [path, shown] of BOOLEANS) {
  test(`${path} takes true and false, and nothing else`, async () => {
    if (shown !== undefined) assert.equal(await valueIn('', path), shown);
    if (path !== 'security.mtls_enabled') {
      assert.equal(await valueIn(fileOf(path, true, NEEDS[path]), path), true);
    }
    assert.equal(await valueIn(fileOf(path, false), path), false);
    await refusesWrongTypes(path, 'boolean');
  });
}

for (const [path, type, shown, least, most] of NUMBERS) {
  test(`${path} takes ${type}s from ${least}${most === undefined ? '' : ` to ${most}`}`, async () => {
    if (shown !== undefined) assert.equal(await valueIn('', path), shown);
    for (const value of [least, ...(shown === undefined ? [] : [shown]), most ?? least + 1]) {
      assert.equal(await valueIn(fileOf(path, value), path), value);
    }
    for (const value of [least - 1, ...(most === undefined ? [] : [most + 1])]) {
      assert.deepEqual(await errorPathsOf(fileOf(path, value)), [path]);
    }
    await refusesWrongTypes(path, type);
  });
}

for (const [path, values, shown] of ENUMS) {
  test(`${path} takes ${values.join(', ')}, and no other word`, async () => {
    assert.equal(await valueIn('', path), shown);
    for (const value of values) assert.equal(await valueIn(fileOf(path, value), path), value);
    for (const wrong of ['other', values[0].toLowerCase() === values[0] ? 'JSON' : 'info', '']) {
      assert.deepEqual(await errorPathsOf(fileOf(path, wrong)), [path]);
    }
    await refusesWrongTypes(path, 'text');
  });
}

for (const [path, accepted, shown] of TEXTS) {
  test(`${path} takes a text such as ${accepted[0]}`, async () => {
    assert.equal(await valueIn('', path), shown);
    for (const value of accepted) assert.equal(await valueIn(fileOf(path, value), path), value);
    await refusesWrongTypes(path, 'text');
  });
}

for (const [path, accepted] of LISTS) {
  test(`${path} takes a list such as ${JSON.stringify(accepted)}`, async () => {
    for (const value of [accepted, []]) {
      assert.deepEqual(await valueIn(fileOf(path, value), path), value);
    }
    await refusesWrongTypes(path, 'list');
    const errors = await errorPathsOf(fileOf(path, [...accepted, 5]));
    assert.deepEqual(errors, [`${path}[${accepted.length}]`]);
  });
}

const STAGES = [
  ...['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner'],
  ...['contamination_check', 'hallucination_detector', 'output_truth_scanner'],
];

for (const name of STAGES) {
  test(`scanning.stages takes ${name}, on or off`, async () => {
    for (const enabled of [true, false]) {
      const listed = await valueIn(
        fileOf('scanning.stages', [{ name, enabled }]),
        'scanning.stages',
      );
      assert.deepEqual(listed, [{ name, enabled }]);
    }
    const wrong = fileOf('scanning.stages', [{ name, enabled: 'on' }]);
    assert.deepEqual(await errorPathsOf(wrong), ['scanning.stages[0].enabled']);
  });
}

const KNOWN_IDS = ['openai', 'anthropic', 'mistral', 'google', 'ollama', 'groq', 'openrouter'];

for (const id of KNOWN_IDS) {
  test(`the provider ${id} needs no base_url, and has its address`, async () => {
    const provider = { enabled: true, api_key: 'k', models: { m: { enabled: true } } };
    const { config, issues } = await read(fileOf(`models.providers.${id}`, provider));
    assert.match(config?.models.providers[id]?.base_url ?? '', /^https?:\/\/[^/]+\/\S*v1/);
    assert.ok(issues.every(({ message }) => !message.includes('address')));
  });
}

test('a provider with an unknown id and without base_url is valid, with a warning', async () => {
  const provider = { enabled: true, models: { m: { enabled: true } } };
  for (const [id, remedy] of [
    ['acme', 'set base_url to the address of the provider'],
    [
      'azure',
      'set base_url to the address of your Azure resource, or the environment variable AZURE_OPENAI_ENDPOINT',
    ],
  ] as const) {
    const { config, issues } = await read(fileOf(`models.providers.${id}`, provider));
    assert.ok(config);
    const told = issues.find(({ message }) => message.includes('address'));
    assert.equal(told?.severity, 'warning');
    assert.equal(told?.path, `models.providers.${id}`);
    assert.ok(told?.message.endsWith(remedy), told?.message);
  }
  const off = await read(fileOf('models.providers.acme', { ...provider, enabled: false }));
  assert.deepEqual(off.issues, []);
});

test('Azure takes its address from a variable, and needs only one of its two keys', async () => {
  const env = { AZURE_OPENAI_ENDPOINT: 'https://acme.openai.azure.com', KEY: 'k' };
  const azureOf = async (more: Readonly<Record<string, unknown>>) => {
    const models = { 'gpt-4o': { enabled: true } };
    const azure = { enabled: true, api_key: '${KEY}', models, ...more };
    const { config, issues } = await read(fileOf('models.providers.azure', azure), env);
    assert.deepEqual(issues, []);
    const { base_url, deployment, api_version } = config?.models.providers.azure ?? {};
    return { base_url, deployment, api_version };
  };
  const base_url = env.AZURE_OPENAI_ENDPOINT;
  assert.deepEqual(await azureOf({}), {
    base_url,
    deployment: undefined,
    api_version: '2024-10-21',
  });
  assert.deepEqual(await azureOf({ deployment: 'd' }), {
    ...{ base_url, deployment: 'd', api_version: '2024-10-21' },
  });
  assert.deepEqual(await azureOf({ api_version: '2024-02-15-preview' }), {
    ...{ base_url, deployment: undefined, api_version: '2024-02-15-preview' },
  });
  const own = 'https://other.openai.azure.com/openai/v1';
  assert.deepEqual(await azureOf({ base_url: own }), {
    ...{ base_url: own, deployment: undefined, api_version: undefined },
  });
});

test('wrong values of a provider and its models are named by their keys', async () => {
  const at = 'models.providers.openai';
  for (const [key, wrong] of [
    ['enabled', 'yes'],
    ['api_key', 5],
    ['deployment', 5],
    ['api_version', 2024],
    ['models.gpt-4.enabled', 'on'],
    ['models.gpt-4.max_requests_per_minute', '100'],
    ['models.gpt-4.max_requests_per_minute', 0],
    ['models.gpt-4.max_requests_per_minute', 1.5],
  ] as const) {
    const names = key.split('.');
    const inner = names.reduceRight<unknown>((held, name) => ({ [name]: held }), wrong);
    assert.deepEqual(await errorPathsOf(fileOf(at, inner)), [`${at}.${key}`]);
  }
});
