import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findCurlBlocks, parseCurlBlocks } from '../src/curl-blocks.ts';
import { differences } from '../src/documented-answer.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

test('every block with curl in a document names a test that runs such blocks', () => {
  const faults = findCurlBlocks().flatMap(({ at, test: name }) => {
    if (name === undefined) return [`${at} has no comment <!-- curl: TEST --> above it`];
    const path = join(root, name);
    if (!existsSync(path)) return [`${at}: no such file: ${name}`];
    const isRun = readFileSync(path, 'utf8').includes('runCurlBlocks(import.meta.url');
    return isRun ? [] : [`${at}: ${name} does not call runCurlBlocks(import.meta.url, …)`];
  });
  assert.deepEqual(faults, []);
});

test('the parser of curl blocks finds the test, the commands and the answer', () => {
  const text = [
    'Text, then code without curl:',
    '```sh\nnpm start\n```',
    '<!-- curl: a/b.test.ts -->\n```sh',
    "curl http://host/a -d '{\n  1 }'\n\ncurl http://host/b \\\n  -X POST\n```\n\n```json\n{}\n```",
    '```console\n$ curl http://host/c\n```\n\nText.\n\n```json\n[]\n```\n',
  ].join('\n');
  assert.deepEqual(parseCurlBlocks('doc.md', text), [
    {
      at: 'doc.md:6',
      test: 'a/b.test.ts',
      commands: ["curl http://host/a -d '{\n  1 }'\n", 'curl http://host/b \\\n  -X POST\n'],
      answer: '{}\n',
    },
    { at: 'doc.md:17', test: undefined, commands: ['$ curl http://host/c\n'], answer: undefined },
  ]);
});

test('a documented answer equals one with other identifiers and times', () => {
  const documented = {
    id: 'req_06h09mtrahw332wp39n2bp5mm4',
    at: '2026-11-22T10:00:00.000Z',
    reason: 'found…',
    list: [1, '…'],
    rest: '…',
  };
  const answered = {
    id: 'req_zzzzzzzzzzzzzzzzzzzzzzzzzz',
    at: '2027-01-01T00:00:00Z',
    reason: 'found ssn',
    list: [1, 2, 3],
    rest: { a: 1 },
  };
  assert.deepEqual(differences(documented, answered), []);
  assert.deepEqual(differences({ a: 1, '…': '…' }, { a: 1, b: 2 }), []);
});

test('a documented answer differs from one with another value, type, prefix or member', () => {
  for (const [documented, answered] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, {}],
    [{}, { a: 1 }],
    [{ a: null }, {}],
    [[1], [1, 2]],
    [[1, 2, '…'], [1]],
    [{}, undefined],
    ['scn_06h09mtrydwms814f6gm6vjze4', 'req_06h09mtrydwms814f6gm6vjze4'],
    ['2026-11-22T10:00:00Z', 'yesterday'],
    ['found…', 'nothing'],
  ]) {
    assert.equal(
      differences(documented, answered).length,
      1,
      JSON.stringify([documented, answered]),
    );
  }
});
