import { readFileSync } from 'node:fs';
import type { KnownClaim } from './pipeline-config.ts';

/**
 * Reads the statements that the truth stages take for true: a JSON list of texts, or of objects with `claim`
 * and an optional `id`; other members are left out.
 *
 * @throws Error that names the file and what is wrong with it
 */
export function readKnowledgeFile(file: string): KnownClaim[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`cannot read the knowledge base ${file} (${code ?? 'it is no JSON'})`);
  }
  if (!Array.isArray(value)) throw new Error(`the knowledge base ${file} is no JSON list`);
  return value.map((item: unknown, index) => {
    if (typeof item === 'string') return item;
    const { id = String(index), claim } = Object(item) as { id?: unknown; claim?: unknown };
    if (typeof claim === 'string') return { id: String(id), claim };
    throw new Error(`the knowledge base ${file} has no claim at index ${index}`);
  });
}
