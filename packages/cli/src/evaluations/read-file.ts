import type { Evaluation } from '@probity/evaltool';
import { EvaluationError, readEvaluation, splitByProvider, toUtf8 } from '@probity/evaltool';
import type { CommandContext } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { readChunks } from '../input.ts';
import type { ProgressLine } from '../terminal/progress.ts';
import { sniffInput } from './file-form.ts';

/** Results of one import (specification, "Limits"). */
const MAX_RESULTS = 500;
/** The largest file: the whole of it passes through memory in parts, and a YAML file in one. */
const MAX_BYTES = 4_294_967_296;
const MAX_YAML_BYTES = 134_217_728;

/**
 * Reads an evaluation and splits it into parts that an import takes.
 * @throws CommandFailure for a file that cannot be read or is not an evaluation
 */
export async function readParts(
  path: string,
  context: CommandContext,
  progress: ProgressLine,
): Promise<Evaluation[]> {
  const name = path === '-' ? 'standard input' : path;
  const chunks = counted(readChunks({ path, maxBytes: MAX_BYTES }, context), progress);
  try {
    const { form, chunks: input } = await sniffInput(path, toUtf8(chunks));
    const evaluation = await readEvaluation(form === 'json' ? input : fromYaml(input, name));
    return splitByProvider(evaluation, MAX_RESULTS);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const hint = error.code === 'invalid_json' || error.path === '' ? `. ${HINT}` : '';
    throw usageFailure(`${name}: ${error.message.replace(/\.$/, '')}${hint}`, error);
  }
}

const HINT = 'Write the file with `promptfoo eval -o results.json`';

async function* counted(chunks: AsyncIterable<Uint8Array>, progress: ProgressLine) {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    progress.show(`reading, ${(length / 1_048_576).toFixed(1)} MiB`);
    yield chunk;
  }
}

async function* fromYaml(chunks: AsyncIterable<Uint8Array>, name: string) {
  const { yamlToJson } = await import('./yaml.ts');
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_YAML_BYTES) {
      throw usageFailure(`${name} is a YAML file of more than 128 MiB: write it as JSON`);
    }
    parts.push(chunk);
  }
  yield* yamlToJson(Buffer.concat(parts).toString('utf8'), name);
}
