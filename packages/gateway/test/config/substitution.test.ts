import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { issuesOf, read } from './read.ts';

test('a variable that is the whole value takes the type of the key', async () => {
  const env = { MS: '250', RISK: '0.25', ON: 'false', FILE: '123' };
  const { config, issues } = await read(
    'server: {request_timeout_ms: "${MS}"}\nscanning: {thresholds: {pii_risk: "${RISK}"}}\n' +
      'rate_limiting: {enabled: "${ON}"}\nlogging: {file: "${FILE}"}',
    env,
  );
  assert.deepEqual(issues, []);
  assert.equal(config?.server.request_timeout_ms, 250);
  assert.equal(config?.scanning.thresholds.pii_risk, 0.25);
  assert.equal(config?.rate_limiting.enabled, false);
  assert.equal(config?.logging.file, join(tmpdir(), '123'));
});

test('variables stand anywhere in a text, and what they hold is not substituted again', async () => {
  const env = { FOLDER: '/var/log', NAME: '${FOLDER}' };
  const { config } = await read('logging: {file: "${FOLDER}/${NAME}.log"}', env);
  assert.equal(config?.logging.file, '/var/log/${FOLDER}.log');
});

test('variables are not substituted in keys', async () => {
  const [issue = '', ...others] = await issuesOf('"${NAME}": 1', { NAME: 'server' });
  assert.ok(issue.startsWith('1:1 "${NAME}": unknown key. The keys here are server, '), issue);
  assert.deepEqual(others, []);
});

test('a variable that is not set is named with its key and line', async () => {
  assert.deepEqual(await issuesOf('logging:\n  file: ${LOG_FILE}'), [
    '2:9 logging.file: the environment variable LOG_FILE is not set',
  ]);
});

test('what is no variable is refused', async () => {
  for (const [text, shown] of [
    ['${a-b}', '${a-b}'],
    ['${}', '${}'],
    ['${OPEN', '${OPEN'],
  ]) {
    assert.deepEqual(await issuesOf(`logging: {file: "${text}"}`), [
      `1:17 logging.file: expected a variable as \${NAME}; got ${JSON.stringify(shown)}`,
    ]);
  }
});

test('no value of a variable is in any error', async () => {
  const env = { SECRET: 'hunter2-hunter2', PORT: 'hunter2' };
  const told = await issuesOf(
    'caching: {port: "${PORT}"}\nsecurity: {signing_key: "${PORT}"}\nlogging: {level: "${SECRET}"}',
    env,
  );
  assert.equal(told.length, 3, told.join('\n'));
  assert.ok(told.every((line) => !line.includes('hunter2')));
  assert.ok(told.some((line) => line.endsWith('got the value of ${PORT}')));
});

test('a secret that stands in the file is a warning, and never printed', async () => {
  const told = await issuesOf('security:\n  signing_key: hunter2-hunter2-hunter2');
  assert.deepEqual(told, [
    '2:16 (warning) security.signing_key: the secret stands in the file; write ${NAME} and set the variable',
  ]);
  const short = await issuesOf('security:\n  signing_key: hunter2');
  assert.ok(short.every((line) => !line.includes('hunter2')));
});

test('relative paths begin at the folder of the configuration', async () => {
  const paths =
    'client_cert_path: tls/cert.pem, client_key_path: ../key.pem, ca_cert_path: /etc/ca.pem';
  const { config } = await read(
    `logging: {file: gateway.log}\nsecurity: {${paths}}\nobservability: {ca_cert_path: otel.pem}`,
    {},
    '/srv/gateway',
  );
  assert.equal(config?.logging.file, '/srv/gateway/gateway.log');
  assert.equal(config?.security.client_cert_path, '/srv/gateway/tls/cert.pem');
  assert.equal(config?.security.client_key_path, '/srv/key.pem');
  assert.equal(config?.security.ca_cert_path, '/etc/ca.pem');
  assert.equal(config?.observability.ca_cert_path, '/srv/gateway/otel.pem');
});
