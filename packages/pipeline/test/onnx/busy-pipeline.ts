// A pipeline whose stage has the model that BUSY_MODEL names compute, for a pool and for its threads.
import { createOnnxClassifier } from '../../src/backends/index.ts';
import { createPipeline, defineStage } from '../../src/index.ts';
import { patient } from './world.ts';

const { BUSY_MODEL: model = '', TEST_TRANSFORMERS_FOLDER: libraryFolder } = process.env;
const TEXT = 'please '.repeat(60);

/** The model; 64 texts are one call of the runtime. */
export const classifier = createOnnxClassifier({
  model,
  libraryFolder,
  labels: { L1: { type: 'prompt_injection' } },
  batchSize: 64,
  timeoutMs: 600_000,
});

/** Has the model compute for a second or more. */
export const compute = (signal: AbortSignal) =>
  classifier.classify(Array(2_000).fill(TEXT), signal);

const busy = defineStage({
  name: 'busy_stage',
  types: ['none'],
  reads: ['response'],
  async run({ fields, signal }) {
    if (fields[0]?.text === 'load') await classifier.classify(['please'], signal);
    else await compute(signal);
  },
});

export const pipeline = createPipeline({ stages: [busy.with({ ...patient, failOpen: false })] });
