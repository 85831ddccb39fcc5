import { createOpenAiEmbedder } from '../backends/openai-embedder.ts';
import { createOpenAiJudge } from '../backends/openai-judge.ts';
import type { Classifier, Closable, Embedder, Judge } from '../backends/types.ts';
import { checkAnswer } from '../classified/classifier-scan.ts';
import { PipelineConfigError } from '../errors.ts';
import { createMeaningEncoder } from '../meaning/meaning-encoder.ts';
import { createOnnxClassifier } from '../onnx/onnx-classifier.ts';
import { createOnnxEmbedder } from '../onnx/onnx-embedder.ts';
import { createOnnxJudge } from '../onnx/onnx-judge.ts';
import type { PipelineDependencies } from '../pipeline.ts';
import { builtInStage } from '../stages.ts';
import type { BackendSettings } from './backend-settings.ts';

/** Back ends for a pipeline. They load and ask nothing before the first question. */
export interface Backends
  extends Pick<PipelineDependencies, 'judge' | 'embedder' | 'classifiers' | 'meaning'>,
    Closable {
  /**
   * Loads every local model and runs it once.
   *
   * @throws PipelineConfigError that names the first back end that cannot be used, and why
   */
  load(): Promise<void>;
}

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
  const made = {
    ...(judge && { judge: make('judge', () => createJudge(judge)) }),
    ...(embedder && { embedder: make('embedder', () => createEmbedder(embedder)) }),
    ...(meaning && { meaning: make('meaning', () => createMeaningEncoder(meaning)) }),
    classifiers: Object.fromEntries(
      Object.entries(classifiers ?? {}).map(([stage, settings]): [string, Classifier] => [
        stage,
        make(`classifiers.${stage}`, () => createOnnxClassifier(settings)),
      ]),
    ),
  };
  return {
    ...made,
    load: async () => {
      const local = {
        ...made,
        judge: judge?.kind === 'onnx' ? made.judge : undefined,
        embedder: embedder?.kind === 'onnx' ? made.embedder : undefined,
      };
      for (const [path, run] of probesOf(local)) await loading(`backends.${path}`, run);
    },
    close: async () => {
      await Promise.all(held.map(({ close }) => close?.()));
    },
  };
}

const PROBE = 'probe';

/** Runs each local model once. */
function* probesOf({
  judge,
  embedder,
  meaning,
  classifiers = {},
}: Partial<Omit<Backends, 'load' | 'close'>>): Generator<[string, () => Promise<unknown>]> {
  const { signal } = new AbortController();
  if (judge) yield ['judge', () => judge.judge({ claim: PROBE, source: PROBE }, signal)];
  if (embedder) yield ['embedder', () => embedder.embed([PROBE], signal)];
  if (meaning) yield ['meaning', () => meaning.embed([PROBE], signal)];
  for (const [stage, classifier] of Object.entries(classifiers)) {
    const { types, classifier: { needsPlace = false } = {} } = builtInStage(stage) ?? {};
    const expected = { known: new Set(types), needsPlace };
    const run = async () =>
      checkAnswer(await classifier.classify([PROBE], signal), [PROBE], expected);
    yield [`classifiers.${stage}`, run];
  }
}

async function loading(path: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new PipelineConfigError(path, (error as Error).message);
  }
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
