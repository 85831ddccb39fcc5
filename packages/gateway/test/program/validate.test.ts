import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import { toKeyLine } from '../../src/api-keys/key-file.ts';
import { PROGRAM, run, runProgram } from './run.ts';

function write(t: TestContext, text: string): { folder: string; file: string } {
  const folder = temporaryFolder(t).path;
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, text);
  return { folder, file };
}

test('--validate-config of a valid file exits with 0 and says so', async (t) => {
  const { file } = write(t, 'logging: {level: WARN}');
  const { code, stdout, stderr } = await run(['--validate-config', file]);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `${file}: valid\n`, stderr: '' });
});

test('--validate-config of a file with warnings exits with 0 and tells them', async (t) => {
  const { file } = write(t, 'pii_detection: true');
  const { code, stdout, stderr } = await run(['--validate-config', file]);
  assert.equal(code, 0);
  assert.equal(stdout, `${file}: valid, 1 warning\n`);
  assert.match(stderr, /gateway\.yaml:1:1: warning: pii_detection: deprecated/);
});

test('--validate-config of an invalid file exits with 1 and tells every error', async (t) => {
  const { file } = write(t, 'server:\n  prot: 1\n  workers: 0');
  const { code, stdout, stderr } = await run(['--validate-config', file]);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.deepEqual(stderr.trim().split('\n'), [
    `${file}:2:3: server.prot: unknown key. Did you mean port?`,
    `${file}:3:12: server.workers: expected a whole number from 1 to 256; got 0`,
  ]);
});

test('--validate-config warns of a budget of a key that does not exist, where there are keys', async (t) => {
  const budgets = '- {key: app, tokens_per_day: 5000}\n    - {key: gone, tokens_per_day: 5000}';
  const { file, folder } = write(t, `models:\n  token_budgets:\n    ${budgets}`);
  assert.equal((await run(['--validate-config', file])).stderr, '');
  const key = {
    hash: 'a'.repeat(64),
    name: 'app',
    role: 'member',
    users: [],
    domains: [],
  } as const;
  writeFileSync(join(folder, 'gateway-keys'), toKeyLine(key));
  const { code, stderr } = await run(['--validate-config', file]);
  assert.equal(code, 0);
  const message = 'models.token_budgets[1].key: there is no API key with the name gone';
  assert.equal(stderr, `${file}:4:13: warning: ${message}\n`);
});

test('a wrong command line exits with 2 and gets one line with the remedy', async (t) => {
  const { file } = write(t, '');
  const missing = `${file}.missing`;
  for (const [args, message] of [
    [[], /--config FILE is needed; probity-gateway init writes a first one\. .*--help/],
    [['--unknown'], /Unknown option '--unknown'.* probity-gateway --help lists commands/],
    [['--validate-config'], /argument missing.* probity-gateway --help lists commands/],
    [
      ['--validate-config', missing],
      /cannot read .*\.missing \(ENOENT\); write it with: probity-gateway init --config .*\.missing/,
    ],
    [['--validate-config', file, '--config', file], /give one of --config and --validate-config/],
    [['key', 'destroy'], /unknown command key destroy\. probity-gateway --help lists commands/],
    [['--validate-config', file, '--name', 'x'], /--name belongs to key create/],
  ] as const) {
    const { code, stderr } = await run([...args]);
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, /^probity-gateway: [^\n]+\n$/);
    assert.match(stderr, message);
  }
});

test('--validate-config touches none of the paths that a file names', async (t) => {
  const { folder, file } = write(
    t,
    [
      'logging: {file: ./logs/missing/gateway.log}',
      'security: {client_cert_path: ./none.pem, client_key_path: ./none.key, ca_cert_path: ./no.pem}',
    ].join('\n'),
  );
  const { code, stderr } = await runProgram(['--validate-config', file], { cwd: folder });
  assert.equal(code, 0, stderr);
  assert.deepEqual(readdirSync(folder), ['gateway.yaml']);
});

/** The modules that `--validate-config` loads. */
async function loadedFor(t: TestContext, file: string): Promise<string[]> {
  const hook = 'export async function load(u,c,n){process._rawDebug("loaded "+u);return n(u,c)}';
  const register = `import{register}from"node:module";register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)})`;
  const preload = `data:text/javascript,${encodeURIComponent(register)}`;
  const program = await spawnProgram(
    process.execPath,
    ['--import', preload, PROGRAM, '--validate-config', file],
    { test: t },
  );
  assert.equal(await program.exited, 0);
  const loaded = program.stderr.match(/loaded \S+/g) ?? [];
  assert.ok(loaded.some((url) => url.includes('/read-config.js')));
  return loaded;
}

const HEAVY = /@grpc|\/koa\/|better-sqlite3|\/pg\/|kysely|packages\/(?:core|governance)\//;

test('--validate-config loads no server, no stage and no database', async (t) => {
  const { file } = write(
    t,
    'scanning: {stages: [{name: pii_scanner}, {name: secrets_scanner}], thresholds: {pii_risk: 0.5}}\n' +
      'stage_config: {pii_scanner: {optional_types: [iban]}, contamination_check: {protected_texts: [A text.]}}',
  );
  const loaded = await loadedFor(t, file);
  assert.deepEqual(
    loaded.filter((url) => HEAVY.test(url) || url.includes('packages/pipeline/')),
    [],
  );
});

test('--validate-config checks terms and patterns without the code and the models of a stage', async (t) => {
  const { file } = write(
    t,
    'scanning: {stages: [{name: terms_scanner}]}\n' +
      "stage_config: {terms_scanner: {lists: [{terms: [heron]}], patterns: [{pattern: 'a\\d'}]}}",
  );
  const loaded = await loadedFor(t, file);
  assert.ok(loaded.some((url) => url.includes('packages/pipeline/')));
  assert.deepEqual(
    loaded.filter((url) => HEAVY.test(url) || /-scan\.js|\/models\/|\/vendors\//.test(url)),
    [],
  );
});

test('--validate-config reads files of terms and of protected texts, and writes nothing', async (t) => {
  const { folder, file } = write(
    t,
    'scanning: {stages: [{name: terms_scanner}]}\n' +
      'stage_config:\n  terms_scanner: {lists: [{file: terms.txt}]}\n' +
      '  contamination_check: {protected_files: [none.txt]}',
  );
  writeFileSync(join(folder, 'terms.txt'), 'heron\n');
  // Paths do not depend on the folder in which the program is started.
  const { code, stderr } = await runProgram(['--validate-config', file], { cwd: '/' });
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `${file}:4:43: stage_config.contamination_check.protected_files[0]: ${join(folder, 'none.txt')} cannot be read (ENOENT)\n`,
  );
  assert.deepEqual(readdirSync(folder).sort(), ['gateway.yaml', 'terms.txt']);
});

test('the configuration of docs/gateway.md is valid and has no warning', async (t) => {
  const document = new URL('../../../../../docs/gateway.md', import.meta.url);
  const [, text] = /```yaml\n(.*?)```/s.exec(readFileSync(document, 'utf8')) ?? [];
  assert.ok(text);
  const { file } = write(t, text);
  const { code, stdout, stderr } = await run(['--validate-config', file]);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `${file}: valid\n`, stderr: '' });
});
