import { readdirSync } from 'node:fs';
import { WRITTEN_FOLDER } from './paths.ts';
import type { Row } from './rows.ts';
import { readRowFile, readTexts } from './rows.ts';

/**
 * Rows written for this project, from `written/NAME.jsonl`; their source is `written_NAME`.
 *
 * @throws RowError for a missing file or a bad line
 */
export function readWritten(name: string): Row[] {
  return readRowFile(`${WRITTEN_FOLDER}${name}.jsonl`);
}

/**
 * The texts that written rows refer to, from `written/NAME.json`, such as a knowledge base
 * (`truth-a.kb`).
 *
 * @throws RowError for a missing file or another shape
 */
export function readWrittenTexts(name: string): string[] {
  return readTexts(`${WRITTEN_FOLDER}${name}.json`);
}

/** The names of the files of written rows that begin with `prefix`, in order. */
export function listWritten(prefix: string): string[] {
  return readdirSync(WRITTEN_FOLDER)
    .filter((file) => file.startsWith(prefix) && file.endsWith('.jsonl'))
    .map((file) => file.slice(0, -'.jsonl'.length))
    .sort();
}
