import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { run } from './run.ts';

test('init writes a first file that is valid, and leaves a file that exists', async (t) => {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const written = await run(['init', '--config', file]);
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stderr, /probity-gateway key create --config/);
  const valid = await run(['--validate-config', file]);
  assert.deepEqual([valid.code, valid.stderr], [0, '']);
  const text = readFileSync(file, 'utf8');
  assert.match(text, /^ {4}# openai:$/m);
  writeFileSync(file, `${text}# mine\n`);
  const again = await run(['init', '--config', file]);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /exists and was left as it is/);
  assert.equal(readFileSync(file, 'utf8'), `${text}# mine\n`);
});

test('init enables the providers whose API keys are in the environment', async (t) => {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const env = { OPENAI_API_KEY: 'k', MISTRAL_API_KEY: 'k' };
  assert.equal((await run(['init', '--config', file], { env })).code, 0);
  const text = readFileSync(file, 'utf8');
  assert.match(text, /^ {4}openai:$/m);
  assert.match(text, /^ {4}mistral:$/m);
  assert.match(text, /^ {4}# anthropic:$/m);
  const valid = await run(['--validate-config', file], { env });
  assert.deepEqual([valid.code, valid.stderr], [0, '']);
  const all = join(temporaryFolder(t).path, 'all.yaml');
  const keys = { ...env, ANTHROPIC_API_KEY: 'k' };
  await run(['init', '--config', all], { env: keys });
  const three = await run(['--validate-config', all], { env: keys });
  assert.deepEqual([three.code, three.stderr], [0, '']);
});

/** A provider that lists two models for its key, at `/v1`. */
async function startProvider(t: TestContext): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    paths.push(url);
    const isKnown = headers.authorization === 'Bearer right';
    response.writeHead(url !== '/v1/models' ? 404 : isKnown ? 200 : 401);
    response.end(JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

const providerOf = (url: string, models: string, more = '') =>
  `{enabled: true, base_url: "${url}", models: ${models}${more}}`;

test('check calls each enabled provider once, and names the settings to change', async (t) => {
  const { url, paths } = await startProvider(t);
  const { url: unused } = await startProvider(t);
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const some = '{a: {enabled: true}, x: {enabled: true}}';
  const lines = [
    'models:',
    '  providers:',
    `    good: ${providerOf(`${url}/v1`, '{a: {enabled: true}}', ', api_key: "${RIGHT}"')}`,
    `    other: ${providerOf(`${url}/v1`, some, ', api_key: "${RIGHT}"')}`,
    `    wrong: ${providerOf(`${url}/v1`, some, ', api_key: "${WRONG}"')}`,
    `    none: ${providerOf(`${url}/v1`, some)}`,
    `    short: ${providerOf(`${url}/api`, some, ', api_key: "${RIGHT}"')}`,
    `    gone: ${providerOf('http://127.0.0.1:1/v1', some)}`,
    `    nowhere: {enabled: true, models: ${some}}`,
    `    off: {base_url: "${unused}/v1", models: ${some}}`,
  ];
  writeFileSync(file, lines.join('\n'));
  const env = { RIGHT: 'right', WRONG: 'secret-wrong' };
  const { code, stdout, stderr } = await run(['check', '--config', file], { env });
  assert.equal(code, 1);
  const at = 'models.providers';
  assert.deepEqual(stdout.trim().split('\n').sort(), [
    `gone: cannot be reached (ECONNREFUSED); check ${at}.gone.base_url`,
    'good: ok',
    `none: refuses the API key (status 401); set ${at}.none.api_key`,
    `nowhere: has no known address; set ${at}.nowhere.base_url`,
    'other: ok, but it does not list x',
    `short: answers with status 404; check the path of ${at}.short.base_url, most end in /v1`,
    `wrong: refuses the API key (status 401); check ${at}.wrong.api_key`,
  ]);
  assert.equal(paths.length, 5);
  assert.ok(!(stdout + stderr).includes('secret-wrong'));
});

test('check exits with 0 where every provider takes the key, and 1 for an invalid file', async (t) => {
  const { url } = await startProvider(t);
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const env = { RIGHT: 'right' };
  writeFileSync(
    file,
    `models: {providers: {good: ${providerOf(`${url}/v1`, '{"*": {enabled: true}}', ', api_key: "${RIGHT}"')}}}`,
  );
  const good = await run(['check', '--config', file], { env });
  assert.deepEqual([good.code, good.stdout], [0, 'good: ok\n']);
  writeFileSync(file, 'server: {prot: 1}');
  const invalid = await run(['check', '--config', file]);
  assert.equal(invalid.code, 1);
  assert.match(invalid.stderr, /unknown key/);
  assert.equal((await run(['check'])).code, 2);
});
