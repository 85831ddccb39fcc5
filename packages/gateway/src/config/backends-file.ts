import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Issue } from './issues.ts';
import { errorAt } from './issues.ts';
import type { ConfigurationValues } from './schema.ts';
import type { Environment } from './substitution.ts';
import type { YamlTree } from './yaml-tree.ts';

/** The back ends of the stages as their file has them: variables of the environment are not filled in. */
export interface BackendsValue {
  readonly settings: Readonly<Record<string, unknown>>;
  /** The folder of the file; paths in it are relative to it. */
  readonly folder: string;
}

/** The content of a file of back ends, and its errors. */
interface ReadBackends {
  readonly backends: BackendsValue | undefined;
  readonly issues: readonly Issue[];
}

const PATH = ['scanning', 'backends_file'];

/**
 * Reads and checks the file that `scanning.backends_file` names. The pipeline is loaded only where there is one, and a
 * model only at the start of the gateway.
 */
export async function readBackends(
  { scanning }: ConfigurationValues,
  tree: YamlTree,
  env: Environment,
): Promise<ReadBackends> {
  const { backends_file: file } = scanning;
  if (file === undefined) return { backends: undefined, issues: [] };
  try {
    const settings = parseFile(file);
    const folder = dirname(file);
    const { createBackends, parsePipelineSettings } = await import('@probity/pipeline/settings');
    createBackends(parsePipelineSettings({ backends: settings }, { env, folder }).backends);
    return { backends: { settings, folder }, issues: [] };
  } catch (error) {
    const message = `${file}: ${(error as Error).message}`;
    return { backends: undefined, issues: [errorAt(tree.placeOf(PATH), PATH, message)] };
  }
}

function parseFile(file: string): BackendsValue['settings'] {
  const value = parseJson(file);
  const { backends, ...others } = toRecord(value, 'expected an object with the key backends');
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new Error(`${other} must not be here: set stages and policies in the configuration`);
  }
  const settings = toRecord(backends, 'backends must be an object');
  if (settings.embedder === undefined) return settings;
  throw new Error('backends.embedder must not be here: set embeddings.model in the configuration');
}

function parseJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Error(`is not valid JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
}

function toRecord(value: unknown, message: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new Error(message);
}
