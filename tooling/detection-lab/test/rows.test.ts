import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readOptions, UsageError } from '../src/lib/arguments.ts';
import { parseRow, RowError, readCompanion, readRows, toUtf16Offset } from '../src/lib/rows.ts';

const ROW = { id: 'r1', task: 'pii', text: 'mail a@b.io', label: 1, source: 'own' };

describe('rows', () => {
  it('rows are read from a plain or a packed file, whichever is there', () => {
    withFolder((folder) => {
      mkdirSync(join(folder, 'pii'));
      const lines = `${JSON.stringify(ROW)}\n\n${JSON.stringify({ ...ROW, id: 'r2' })}\n`;
      writeFileSync(join(folder, 'pii', 'train.jsonl.gz'), gzipSync(lines));
      writeFileSync(join(folder, 'pii', 'dev.jsonl'), lines);
      for (const split of ['train', 'dev'] as const) {
        assert.deepEqual(
          readRows(folder, 'pii', split).map(({ id }) => id),
          ['r1', 'r2'],
        );
      }
    });
  });

  it('rows name file and line of a mistake', () => {
    withFolder((folder) => {
      mkdirSync(join(folder, 'pii'));
      const path = join(folder, 'pii', 'dev.jsonl');
      writeFileSync(path, `${JSON.stringify(ROW)}\n{"id": 3}\n`);
      assert.throws(() => readRows(folder, 'pii', 'dev'), {
        name: 'RowError',
        message: `${path}:2: text must be a string`,
      });
      assert.throws(() => readRows(folder, 'pii', 'train'), /train\.jsonl: neither this file nor/);
    });
  });

  const mistakes: readonly [string, object | string, RegExp][] = [
    ['no JSON', '{', /^here: /],
    ['no object', '[1]', /^here: expected a JSON object/],
    ['a label that is a word', { ...ROW, label: 'yes' }, /label must be 0 or 1, got "yes"$/],
    ['an unknown label', { ...ROW, label: 2 }, /^here: label must be 0 or 1, got 2$/],
    [
      'an unknown type',
      { ...ROW, types: ['mail'] },
      /^here: types must be of ssn, .*, got "mail"$/,
    ],
    ['types of numbers', { ...ROW, types: [1] }, /types must be a list of strings/],
    ['labels in a list', { ...ROW, labels: [] }, /labels must be an object/],
    ['a prompt that is a number', { ...ROW, prompt: 3 }, /prompt must be a string/],
    [
      'a span past the end',
      { ...ROW, spans: [{ start: 0, end: 12, type: 'email' }] },
      /spans\[0\] lies outside the text/,
    ],
    [
      'an empty span',
      { ...ROW, spans: [{ start: 3, end: 3, type: 'email' }] },
      /spans\[0\] lies outside/,
    ],
    [
      'a span without type',
      { ...ROW, spans: [{ start: 0, end: 3 }] },
      /spans\[0\]\.type must be a string/,
    ],
  ];
  for (const [name, row, message] of mistakes) {
    it(`rows are refused with the field at fault: ${name}`, () => {
      const line = typeof row === 'string' ? row : JSON.stringify(row);
      assert.throws(() => parseRow(line, 'here'), { name: 'RowError', message });
    });
  }

  it('rows have spans in UTF-16 units, whatever stands before them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1 }), (before, value) => {
        const start = [...before].length;
        const spans = [{ start, end: start + [...value].length, type: 'email' }];
        const row = parseRow(JSON.stringify({ ...ROW, text: `${before}${value}!`, spans }), 'x');
        const [span] = row.spans;
        assert.equal(row.text.slice(span?.start, span?.end), value);
      }),
    );
    assert.equal(toUtf16Offset('😀a', 1), 2);
  });

  it('rows come with their knowledge base and protected texts', () => {
    withFolder((folder) => {
      mkdirSync(join(folder, 'truth'));
      writeFileSync(join(folder, 'truth', 'dev.kb.json'), '["a","b"]');
      writeFileSync(join(folder, 'truth', 'train.kb.json'), '[1]');
      assert.deepEqual(readCompanion(folder, 'truth', 'dev'), ['a', 'b']);
      assert.throws(() => readCompanion(folder, 'truth', 'train'), RowError);
      assert.throws(() => readCompanion(folder, 'contamination', 'dev'), RowError);
    });
  });
});

describe('the command line of a training script', () => {
  it('the command line of a training script takes --data and the options that the script names', () => {
    const options = readOptions(['--data', 'rows', '--seed', '4'], ['seed']);
    assert.deepEqual({ ...options }, { data: 'rows', seed: '4' });
  });

  it('the command line of a training script refuses unknown options and missing data', () => {
    assert.throws(() => readOptions(['--data', 'rows', '--sead', '4'], ['seed']), UsageError);
    assert.throws(() => readOptions([]), /--data DIR is needed/);
  });
});

function withFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'probity-rows-'));
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
