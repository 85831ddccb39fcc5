import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import { hashConfig } from '../../src/config/read-config.ts';
import { issuesOf, read } from './read.ts';

const LISTED = 'scanning: {stages: [{name: secrets_scanner}, {name: terms_scanner}]}\n';

function folderWith(t: TestLifetime, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder(t).path;
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

const errors: readonly (readonly [title: string, text: string, expected: readonly string[]])[] = [
  [
    'a mistyped stage',
    'scanning:\n  stages:\n    - name: secret_scanner',
    [
      '3:13 scanning.stages[0].name: expected one of truth_scan, pii_scanner, injection_scanner, toxicity_scanner, contamination_check, hallucination_detector, output_truth_scanner, secrets_scanner, terms_scanner; got "secret_scanner". Did you mean secrets_scanner?',
    ],
  ],
  [
    'mistyped types and options',
    `${LISTED}stage_config:\n  secrets_scanner: {types: {jwtt: true}}\n  terms_scanner:\n    lists: [{terms: [a], wholewords: true}]`,
    [
      '3:29 stage_config.secrets_scanner.types.jwtt: unknown key. Did you mean jwt?',
      '5:26 stage_config.terms_scanner.lists[0].wholewords: unknown key. Did you mean whole_words?',
    ],
  ],
  [
    'an expression that could take long, and flags that do not exist',
    `${LISTED}stage_config:\n  secrets_scanner: {exceptions: [ok, '(a+)+$']}\n  terms_scanner:\n    patterns: [{pattern: a, flags: g}]`,
    [
      '3:38 stage_config.secrets_scanner.exceptions[1]: a repeated group can take exponential time; write a simpler pattern',
      '5:36 stage_config.terms_scanner.patterns[0].flags: expected some of the letters i, m, s, u and v; got "g"',
    ],
  ],
  [
    'terms_scanner without anything to look for',
    'scanning:\n  stages:\n    - name: terms_scanner',
    [
      '3:13 scanning.stages[0].name: needs stage_config.terms_scanner.lists or stage_config.terms_scanner.patterns',
    ],
  ],
  [
    'a list without terms',
    `${LISTED}stage_config: {terms_scanner: {lists: [{terms: [a]}, {}]}}`,
    ['2:54 stage_config.terms_scanner.lists[1].terms: expected at least one term; got none'],
  ],
  [
    'options of a stage that is off',
    'stage_config:\n  secrets_scanner: {redact: false}\n  terms_scanner: {lists: [{terms: [a]}]}',
    [
      '2:20 (warning) stage_config.secrets_scanner: the stage is off: secrets_scanner is not in scanning.stages',
      '3:18 (warning) stage_config.terms_scanner: the stage is off: terms_scanner is not in scanning.stages',
    ],
  ],
];

for (const [title, text, expected] of errors) {
  test(`an error in the options of a stage is told with its place: ${title}`, async () => {
    assert.deepEqual(await issuesOf(text), expected);
  });
}

test('what the stage refuses of a list and of a pattern is told at its line', async () => {
  const told = await issuesOf(
    `${LISTED}stage_config:\n  terms_scanner:\n    lists:\n      - terms: [ok, '']\n    patterns:\n      - {pattern: '(a+)+$'}\n      - {pattern: 'a', context: ['b,c']}`,
  );
  assert.deepEqual(told, [
    '5:21 stage_config.terms_scanner.lists[0].terms[1]: expected a term of 1 to 200 characters',
    '7:19 stage_config.terms_scanner.patterns[0].pattern: (a+)+ could take too long: a repetition within a repetition reads the same signs in many ways (exponential time)',
    '8:34 stage_config.terms_scanner.patterns[1].context[0]: expected a word or words parted by single blanks, with * for any ending',
  ]);
});

test('an optional type of personal data that does not exist is told with the nearest name', async () => {
  const [told = ''] = await issuesOf('stage_config: {pii_scanner: {optional_types: [iban, ibn]}}');
  assert.match(
    told,
    /^1:53 stage_config\.pii_scanner\.optional_types\[1\]: .*got "ibn"\. Did you mean iban\?$/,
  );
});

test('files are read relative to the folder of the configuration, and fill its lists', async (t) => {
  const folder = folderWith(t, { 'memo.txt': 'A memo.\n' });
  mkdirSync(join(folder, 'lists'));
  writeFileSync(join(folder, 'lists/terms.txt'), 'heron\nplover\n');
  const text = `${LISTED}stage_config:\n  terms_scanner: {lists: [{terms: [stork], file: lists/terms.txt}]}\n  contamination_check: {protected_texts: [First.], protected_files: [memo.txt]}`;
  const { config, issues } = await read(text, {}, folder);
  assert.deepEqual(issues, []);
  assert.deepEqual(config?.stage_config.terms_scanner.lists[0]?.terms, [
    'stork',
    'heron',
    'plover',
  ]);
  assert.deepEqual(config?.stage_config.contamination_check.protected_texts, [
    'First.',
    'A memo.\n',
  ]);
});

test('a file that cannot be used is an error at the line that names it', async (t) => {
  const folder = folderWith(t, {
    'empty.txt': '\n \n',
    'latin1.txt': Buffer.from([0xe9, 0x0a]),
    'large.txt': 'a'.repeat(4_194_305),
    'object.json': '{"terms": []}',
    'long-line.txt': `fine\n\n${'x'.repeat(201)}\n`,
  });
  const files = ['none.txt', '.', 'empty.txt', 'latin1.txt', 'large.txt', 'object.json'];
  const text = [
    `${LISTED}stage_config:`,
    '  terms_scanner:',
    '    lists:',
    ...[...files, 'long-line.txt'].map((file) => `      - file: ${file}`),
    '  contamination_check:',
    '    protected_files:',
    ...files.map((file) => `      - ${file}`),
  ].join('\n');
  const told = (await issuesOf(text, {}, folder)).map((line) => line.replaceAll(`${folder}/`, ''));
  const faults = [
    'none.txt cannot be read (ENOENT)',
    `${folder} is no file`,
    'empty.txt has no term',
    'latin1.txt is not valid UTF-8',
    'large.txt has 4194305 bytes; at most 4194304 are read',
    'object.json is no JSON list of texts',
    'long-line.txt line 3: expected a term of 1 to 200 characters',
  ];
  assert.deepEqual(told, [
    ...faults.map(
      (fault, at) => `${5 + at}:15 stage_config.terms_scanner.lists[${at}].file: ${fault}`,
    ),
    ...faults
      .slice(0, -1)
      .map((fault) => fault.replace('no term', 'no text'))
      .map(
        (fault, at) =>
          `${14 + at}:9 stage_config.contamination_check.protected_files[${at}]: ${fault}`,
      ),
  ]);
});

test('protected texts have 1,000,000 characters in all at most', async (t) => {
  const folder = folderWith(t, { 'half.txt': 'a '.repeat(250_000), 'one.txt': 'b' });
  const text = (files: string) =>
    `stage_config: {contamination_check: {protected_files: [${files}]}}`;
  assert.deepEqual(await issuesOf(text('half.txt, half.txt'), {}, folder), []);
  assert.deepEqual(await issuesOf(text('half.txt, half.txt, one.txt'), {}, folder), [
    '1:76 stage_config.contamination_check.protected_files[2]: the protected texts have 1000001 characters; at most 1000000 in all',
  ]);
});

test('all lists have 100,000 terms at most', async (t) => {
  const terms = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`).join('\n');
  const folder = folderWith(t, { 'a.txt': terms(100_000), 'b.txt': 'one' });
  const text = (files: readonly string[]) =>
    `${LISTED}stage_config: {terms_scanner: {lists: [${files.map((file) => `{file: ${file}}`).join(', ')}]}}`;
  assert.deepEqual(await issuesOf(text(['a.txt']), {}, folder), []);
  const [told = ''] = await issuesOf(text(['a.txt', 'b.txt']), {}, folder);
  assert.match(told, /^2:\d+ stage_config\.terms_scanner\.lists\[1\]: more than 100000 terms$/);
});

test('what a file holds is part of the hash of the configuration', async (t) => {
  const folder = folderWith(t, { 'memo.txt': 'A memo.' });
  const hash = async () => {
    const text = 'stage_config: {contamination_check: {protected_files: [memo.txt]}}';
    const { config } = await read(text, {}, folder);
    assert.ok(config);
    return hashConfig(config);
  };
  const before = await hash();
  writeFileSync(join(folder, 'memo.txt'), 'Another memo.');
  assert.notEqual(await hash(), before);
});
