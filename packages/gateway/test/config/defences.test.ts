import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config/read-config.ts';
import { issuesOf } from './read.ts';

const BOMB = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...[...'bcdefghij'].map((name, at) => {
    const before = 'abcdefghi'[at];
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  }),
].join('\n');

const REFUSED: readonly (readonly [title: string, text: string, message: RegExp])[] = [
  ['aliases that multiply', BOMB, /aliases are not allowed/],
  ['an alias to itself', 'server: &s\n  host: *s', /aliases are not allowed/],
  ['an anchor', 'server: &s {}', /^1:12 server: anchors are not allowed/],
  ['merge keys', 'server:\n  <<: {port: 1}', /^2:3 server: merge keys/],
  [
    'a tag',
    'server: {port: !!int "1"}',
    /server.port: the tag tag:yaml.org,2002:int is not allowed/,
  ],
  ['an unknown tag', 'server: !x {}', /the tag !x is not allowed/],
  ['binary data', 'logging: {file: !!binary aGVsbG8=}', /the tag .*binary is not allowed/],
  ['a directive', '%YAML 1.1\n---\nserver: {}', /^1:1 : directives are not allowed/],
  ['a second document', 'server: {}\n---\nserver: {}', /a second document is not allowed/],
  ['a repeated key', 'server: {}\nserver: {}', /^2:1 server: the key is there twice/],
  ['a key that is no name', '? [a]\n: 1', /expected a name as the key/],
  ['a list as the file', '- server', /expected keys such as server:/],
  ['a text as the file', 'server', /expected keys such as server:/],
  ['unfinished brackets', 'server: {port: 1', /^1:\d+ : Flow map/],
  ['a tab as indentation', 'server:\n\tport: 1', /^2:1 /],
  ['an escaped NUL', 'logging: {file: "a\\0b"}', /logging.file: U\+0000 is not allowed/],
  ['a NUL', 'server:\n  host: a\0b', /^2:10 : the control character U\+0000 is not allowed/],
  ['a control character', 'server: {} # \u001b[31m', /^1:14 : the control character U\+001B/],
  ['deep brackets', `server: ${'['.repeat(20_000)}`, /nested in more than 32 levels/],
  ['deep lists', '- '.repeat(20_000), /nested in more than 32 levels/],
  ['a prototype', '__proto__: {server: {port: 1}}', /__proto__: unknown key/],
  ['a method of objects', 'toString: 1', /toString: unknown key/],
];

for (const [title, text, message] of REFUSED) {
  test(`a configuration is refused with its place: ${title}`, async () => {
    const told = await issuesOf(text);
    assert.ok(
      told.some((line) => message.test(line)),
      told.join('\n'),
    );
  });
}

test('bytes that are no UTF-8 are refused at their line', async () => {
  const latin1 = Buffer.from('server: {}\n# caf\u00e9\nlogging: {}', 'latin1');
  const { config, issues } = await readConfig(latin1, {}, '.');
  assert.equal(config, undefined);
  assert.deepEqual(
    issues.map(({ line, message }) => [line, message]),
    [[2, 'the line is not valid UTF-8']],
  );
});

test('UTF-16 is named', async () => {
  const { issues } = await readConfig(Buffer.from('\ufeffserver: {}', 'utf16le'), {}, '.');
  assert.match(issues[0]?.message ?? '', /UTF-16/);
});

test('a byte order mark of UTF-8 is ignored', async () => {
  const { config, issues } = await readConfig(Buffer.from('\ufefflogging: {level: WARN}'), {}, '.');
  assert.deepEqual(issues, []);
  assert.equal(config?.logging.level, 'WARN');
});

test('a file above 1 MiB is refused without being parsed, one of 1 MiB is read', async () => {
  const filled = (bytes: number) => Buffer.from(`#${'x'.repeat(bytes - 1)}`);
  assert.ok((await readConfig(filled(1_048_576), {}, '.')).config);
  const { config, issues } = await readConfig(filled(1_048_577), {}, '.');
  assert.equal(config, undefined);
  assert.match(issues[0]?.message ?? '', /at most 1048576/);
});
