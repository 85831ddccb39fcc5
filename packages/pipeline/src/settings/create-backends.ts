import { createOpenAiEmbedder } from '../backends/openai-embedder.ts';
import { createOpenAiJudge } from '../backends/openai-judge.ts';
import type { Classifier, Closable, Embedder, Judge } from '../backends/types.ts';
import { PipelineConfigError } from '../errors.ts';
import { createMeaningEncoder } from '../meaning/meaning-encoder.ts';
import { createOnnxClassifier } from '../onnx/onnx-classifier.ts';
import { createOnnxEmbedder } from '../onnx/onnx-embedder.ts';
import { createOnnxJudge } from '../onnx/onnx-judge.ts';
import type { PipelineDependencies } from '../pipeline.ts';
import type { BackendSettings } from './backend-settings.ts';

/** Back ends for a pipeline. Nothing is asked or loaded before the first question. */
export interface Backends
  extends Pick<PipelineDependencies, 'judge' | 'embedder' | 'classifiers' | 'meaning'>,
    Closable {}

/**
 * Makes the back ends that settings name.
 *
 * @throws PipelineConfigError naming the option at fault, never its value
 */
export function createBackends({
  judge,
  embedder,
  classifiers,
  meaning,
}: BackendSettings): Backends {
  const held: Partial<Closable>[] = [];
  const make = <Made>(path: string, create: () => Made & Partial<Closable>): Made => {
    const made = under(`backends.${path}`, create);
    held.push(made);
    return made;
  };
  return {
    ...(judge && { judge: make('judge', () => createJudge(judge)) }),
    ...(embedder && { embedder: make('embedder', () => createEmbedder(embedder)) }),
    ...(meaning && { meaning: make('meaning', () => createMeaningEncoder(meaning)) }),
    classifiers: Object.fromEntries(
      Object.entries(classifiers ?? {}).map(([stage, settings]): [string, Classifier] => [
        stage,
        make(`classifiers.${stage}`, () => createOnnxClassifier(settings)),
      ]),
    ),
    close: async () => {
      await Promise.all(held.map(({ close }) => close?.()));
    },
  };
}

function createJudge(settings: NonNullable<BackendSettings['judge']>): Judge & Partial<Closable> {
  return settings.kind === 'onnx' ? createOnnxJudge(settings) : createOpenAiJudge(settings);
}

function createEmbedder(
  settings: NonNullable<BackendSettings['embedder']>,
): Embedder & Partial<Closable> {
  return settings.kind === 'onnx' ? createOnnxEmbedder(settings) : createOpenAiEmbedder(settings);
}

/** Puts the place in the settings before the name of an option at fault. */
function under<Made>(path: string, create: () => Made): Made {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof PipelineConfigError)) throw error;
    const { option, message } = error;
    throw new PipelineConfigError(`${path}.${option}`, message.slice(option.length + 2));
  }
}
