import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.mjs';

const VERSION = '1.2.2';
/** Where NIST publishes the schema with each release; no package of npm has it. */
const URL_OF_SCHEMA = `https://github.com/usnistgov/OSCAL/releases/download/v${VERSION}/oscal_complete_schema.json`;
const TIMEOUT_MS = 15_000;

/**
 * Fetches the schema that NIST publishes for OSCAL, for the tests of exported documents, once.
 * @param {readonly string[]} files The tests that will run.
 * @param {{ url?: string, folder?: string, given?: string }} [source] Another one, and another variable, for its own test.
 * @returns {Promise<Record<string, string>>} For the environment of the tests; empty where none of
 *   them wants it, or it is out of reach.
 */
export async function provideOscalSchema(files, source = {}) {
  const { url = URL_OF_SCHEMA, folder = join(root, '.cache') } = source;
  const { given = process.env.TEST_OSCAL_SCHEMA } = source;
  if (!files.some((file) => file.includes('/oscal/'))) return {};
  if (given) return {};
  const path = join(folder, `oscal-schema-${VERSION}.json`);
  try {
    if (!existsSync(path)) await fetchSchema(url, { folder, path });
    return { TEST_OSCAL_SCHEMA: path };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    process.stderr.write(
      `Documents are NOT validated by the published schema of OSCAL, which is out of reach: ${reason}.\n`,
    );
    return {};
  }
}

/**
 * @param {string} url
 * @param {{ folder: string, path: string }} target
 */
async function fetchSchema(url, { folder, path }) {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`its address answers ${response.status}`);
  const text = await response.text();
  if (!String(JSON.parse(text).$id).includes(`/oscal/1.0/${VERSION}/`)) {
    throw new Error(`what its address answers is not that of version ${VERSION}`);
  }
  mkdirSync(folder, { recursive: true });
  // Only what is whole gets the name.
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
