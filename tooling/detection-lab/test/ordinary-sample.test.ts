import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readOrdinary } from '../src/lib/cell-rows.ts';
import { MODELS_FOLDER } from '../src/lib/paths.ts';

interface Sentence {
  readonly id: string;
  readonly text: string;
}

it('the ordinary sentences that ship for models check are rows of written/ordinary.jsonl', () => {
  const written = new Map(readOrdinary().map(({ row }) => [row.id, row.text]));
  const lines = readFileSync(join(MODELS_FOLDER, 'ordinary.jsonl'), 'utf8').trimEnd().split('\n');
  const sample = lines.map((line) => JSON.parse(line) as Sentence);
  assert.equal(sample.length, 301);
  for (const { id, text } of sample) assert.equal(text, written.get(id));
});
