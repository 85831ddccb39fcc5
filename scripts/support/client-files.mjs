import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methodsFile, operationsFile } from './client-methods.mjs';
import { clientOperations } from './client-operations.mjs';
import { schemasFile } from './client-schemas.mjs';
import { serverDocument } from './reference-pages.mjs';
import { readJson, root } from './repository.mjs';

/** @typedef {import('./client-operations.mjs').OpenApiDocument} OpenApiDocument */

const folder = 'packages/client/src/generated';

/**
 * The generated files of the client, made from the OpenAPI document of the compiled server.
 * @returns {Promise<Map<string, string>>} Texts by path relative to the repository.
 */
export async function clientFiles() {
  const document = /** @type {OpenApiDocument} */ (await serverDocument());
  const { version } = readJson(join(root, 'packages/client/package.json'));
  const { operations, schemas, events } = clientOperations(document);
  return new Map(
    [
      ['schemas.ts', schemasFile(schemas, events)],
      ['methods.ts', methodsFile(operations)],
      ['operations.ts', operationsFile(operations, version)],
      ...receivingFiles(),
    ].map(([name, text = '']) => [`${folder}/${name}`, format(`${folder}/${name}`, text)]),
  );
}

const receiving = 'packages/webhooks/src/receiving';
const eventImport = "import type { EventMap } from '@probity/core/events';";

/**
 * Copies of the verification of webhooks, with the types of events from the document: the client has
 * no dependency, and the server's packages none on the client.
 * @returns {[string, string][]}
 */
function receivingFiles() {
  const names = readdirSync(join(root, receiving)).sort();
  const texts = names.map((name) => readFileSync(join(root, receiving, name), 'utf8'));
  const copied = texts.map((text) =>
    text.replace(eventImport, "import type { ProbityEvents as EventMap } from '../schemas.ts';"),
  );
  const foreign = copied.find((text) => /from '(?!\.)/.test(text));
  if (foreign !== undefined)
    throw new Error(`${receiving} imports what the client cannot: ${foreign}`);
  return copied.map((text, index) => [
    `webhooks/${names[index]}`,
    `// Copied from ${receiving} by scripts/client.mjs.\n\n${text}`,
  ]);
}

/**
 * Where the stored files differ from the document.
 * @param {ReadonlyMap<string, string>} files
 * @returns {string[]}
 */
export function clientFaults(files) {
  return [...files].flatMap(([path, text]) => {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return [];
    return [`${path} lags behind the OpenAPI document: run \`node scripts/client.mjs --write\``];
  });
}

/** @param {string} path @param {string} text As the formatter of the repository writes it. */
function format(path, text) {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'check', '--write', `--stdin-file-path=${path}`];
  return execFileSync(process.execPath, args, { cwd: root, input: text, encoding: 'utf8' });
}
