import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Row } from './rows.ts';
import { readRowFile, readTexts } from './rows.ts';

/** Beside the compiled scripts' sources: `dist/training/lib` is three folders below the package. */
const FOLDER = fileURLToPath(new URL('../../../training/written/', import.meta.url));

/**
 * Rows written for this project, from `training/written/NAME.jsonl`; their source is `written_NAME`.
 *
 * @throws RowError for a missing file or a bad line
 */
export function readWritten(name: string): Row[] {
  return readRowFile(`${FOLDER}${name}.jsonl`);
}

/**
 * The texts that written rows refer to, from `training/written/NAME.json`, such as a knowledge base
 * (`truth-a.kb`).
 *
 * @throws RowError for a missing file or another shape
 */
export function readWrittenTexts(name: string): string[] {
  return readTexts(`${FOLDER}${name}.json`);
}

/** The names of the files of written rows that begin with `prefix`, in order. */
export function listWritten(prefix: string): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.startsWith(prefix) && file.endsWith('.jsonl'))
    .map((file) => file.slice(0, -'.jsonl'.length))
    .sort();
}
