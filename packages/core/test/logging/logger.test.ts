import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow, createTestClock } from '@probity/test-support';
import { systemRandom } from '../../src/crypto/random.ts';
import { mintToken } from '../../src/crypto/tokens.ts';
import type { LogFields, LogLevel } from '../../src/logging/logger.ts';
import { createLogger, redactSecrets } from '../../src/logging/logger.ts';

function logLines(
  log: (logger: ReturnType<typeof createLogger>) => void,
  level: LogLevel = 'debug',
): string[] {
  const lines: string[] = [];
  log(createLogger({ level, clock: createTestClock(), write: (line) => lines.push(line) }));
  return lines;
}

function logged(fields: LogFields, message = 'message'): string {
  return logLines((logger) => logger.info(message, fields)).join('');
}

test('a line is one JSON object with timestamp, level, message and the fields', () => {
  const [line = ''] = logLines((logger) =>
    logger.warn('two\nlines', { request_id: 'req_1', n: 5 }),
  );
  assert.equal(line.indexOf('\n'), line.length - 1);
  assert.deepEqual(JSON.parse(line), {
    level: 'warn',
    timestamp: '2026-01-01T00:00:00.000Z',
    request_id: 'req_1',
    n: 5,
    message: 'two\nlines',
  });
});

test('a log level suppresses lines below it', () => {
  const all = (logger: ReturnType<typeof createLogger>) => {
    logger.debug('d');
    logger.info('i');
    logger.warn('w');
    logger.error('e');
  };
  const counts = (['debug', 'info', 'warn', 'error', 'silent'] as const).map(
    (level) => logLines(all, level).length,
  );
  assert.deepEqual(counts, [4, 3, 2, 1, 0]);
});

test('a program writes levels in its own form, and is told the level of each line', () => {
  const lines: [string, string][] = [];
  const logger = createLogger({
    labelOf: (level) => level.toUpperCase(),
    write: (line, level) => lines.push([level, (JSON.parse(line) as { level: string }).level]),
  });
  logger.info('one');
  logger.error('two');
  assert.deepEqual(lines, [
    ['info', 'INFO'],
    ['error', 'ERROR'],
  ]);
});

test('a member named like a secret is masked where it is a text, and stays where it is a number', () => {
  const line = logged({ tokens: { input: 120 }, csrfTokenOfCaller: 'abc', password_hint: 'def' });
  const { tokens, csrfTokenOfCaller, password_hint } = JSON.parse(line) as LogFields;
  assert.deepEqual(tokens, { input: 120 });
  assert.deepEqual([csrfTokenOfCaller, password_hint], ['[redacted]', '[redacted]']);
});

test('an error is logged with its stack, its code and its causes', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const { error } = JSON.parse(logged({ error: new Error('outer', { cause }) })) as {
    error: Record<string, unknown> & { cause: Record<string, unknown> };
  };
  assert.equal(error.message, 'outer');
  assert.match(String(error.stack), /logger\.test/);
  assert.equal(error.cause.code, 'ECONNREFUSED');
  assert.equal(error.cause.message, 'refused');
});

const token = mintToken('pbk_', systemRandom);
const invitation = mintToken('pin_', systemRandom);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const forms: ReadonlyArray<readonly [string, string, string]> = [
  ['an API key', token, token.slice(4)],
  ['a SCIM token within a text', `key ${mintToken('psc_', () => new Uint8Array(32))}!`, '00000000'],
  ['an invitation at the start of a line', `link:\n${invitation}\n`, invitation.slice(4)],
  ['a webhook secret at the start of a line', `a\n${secret}`, secret.slice(6)],
  ['a webhook secret', secret, secret.slice(6)],
  ['a bearer header', 'authorization: bearer abc.def-ghi', 'abc.def'],
  ['a password within a URL', 'postgres://probity:hunter2@db.example/probity', 'hunter2'],
  ['a password within a URL without a user', 'redis://:hunter2@cache:6379', 'hunter2'],
];

for (const [name, text, hidden] of forms) {
  test(`${name} is redacted in messages, fields, nested fields and errors`, () => {
    assert.ok(text.includes(hidden));
    assert.ok(!redactSecrets(text).includes(hidden));
    const lines = [
      logged({}, text),
      logged({ text }),
      logged({ deep: { list: [text] } }),
      logged({ error: new Error(text, { cause: new Error(text) }) }),
    ];
    for (const line of lines) {
      assert.ok(!line.includes(hidden), line);
      assert.ok(line.includes('[redacted]'));
      JSON.parse(line);
    }
  });
}

const members = [
  'password',
  'client_secret',
  'clientSecret',
  'Authorization',
  'api_key',
  'apiKey',
  'x-api-key',
  'cookie',
  'set-cookie',
  'token',
  'scim_token',
  'accessToken',
  'refresh_token',
];

for (const member of members) {
  test(`a member named ${member} is redacted whatever it holds`, () => {
    const line = logged({ [member]: 'hun"ter\\2', nested: { [member]: 'hunter2', kept: 'yes' } });
    assert.doesNotMatch(line, /hun/);
    const parsed = JSON.parse(line) as Record<string, unknown>;
    assert.equal(parsed[member], '[redacted]');
    assert.deepEqual(parsed.nested, { [member]: '[redacted]', kept: 'yes' });
  });
}

test('text that is not a secret is not redacted from logs', () => {
  const text = 'https://example.com:8443/a?b=c@d pbk_short whsec_ bearer';
  assert.equal(redactSecrets(text), text);
  assert.equal(JSON.parse(logged({ key_id: 'key_1', path: '/v1' })).key_id, 'key_1');
});

test('a line of many secret-like words is redacted in linear time', async () => {
  await assertCpuBelow(5_000, () => {
    const line = logged({ text: 'tokenpassword'.repeat(40_000), token: 'x' });
    assert.ok(line.includes('"token":"[redacted]"'));
  });
});
