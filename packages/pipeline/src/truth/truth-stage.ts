import type { EmbeddingOptions, JudgeOptions } from '../backends/backend-options.ts';
import { checkEmbeddingOptions, checkJudgeOptions } from '../backends/backend-options.ts';
import type { StageSettings, StageValue } from '../config.ts';
import { checkRecord, stageValue } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { lazily } from '../lazy.ts';
import type { CreateStageRun, StageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { checkFraction } from '../stage-options.ts';
import type { Field } from '../types.ts';
import type { Nugget } from './knowledge-index.ts';
import type { TruthType } from './scored-claim.ts';

const SIMILARITY_THRESHOLD = 0.7;
const KEYS: ReadonlySet<string> = new Set([
  'knowledge',
  'similarityThreshold',
  'judge',
  'embeddings',
]);

const TYPES: Readonly<Record<TruthType, true>> = {
  supported: true,
  contradicted: true,
  unclear: true,
};

/** Options of the stages `output_truth_scanner` and `truth_scan`. */
export interface TruthOptions {
  /** Statements taken for true, up to a million words or so; the index over them is made once. */
  readonly knowledge?: readonly (string | Nugget)[] | undefined;
  /** From where a claim and a statement count as about the same, 0 to 1. Default 0.7. */
  readonly similarityThreshold?: number | undefined;
  /** Which claims a judge is asked about, where the pipeline has one. */
  readonly judge?: JudgeOptions | undefined;
  /** Which statements an embedder finds, where the pipeline has one. */
  readonly embeddings?: EmbeddingOptions | undefined;
}

const SHARED = {
  score: 'truth',
  types: Object.keys(TYPES),
  isDefault: false,
  scoring: 'text',
  // The findings say what their similarity is, supported claims among them.
  isScoreJudged: false,
  code: 'POLICY_BLOCKED',
  rules: [{ types: ['contradicted'], action: 'flag' }],
  severities: { otherwise: 'medium' },
  compares: true,
  lists: ['knowledge'],
  commandLine: {
    requires: 'knowledge',
    uncut: { similarityThreshold: 0 },
    reportedFrom: SIMILARITY_THRESHOLD,
  },
} as const satisfies Partial<StageDefinition>;

/** The stage `truth_scan`: the claims of the prompt. */
export const promptTruthStage: StageDefinition<'truth_scan', 'truth'> = frozen({
  ...SHARED,
  name: 'truth_scan',
  reads: ['prompt'],
  readsSystem: true,
  create: createRun('prompt'),
});

/** The stage `output_truth_scanner`: the claims of the response. */
export const outputTruthStage: StageDefinition<'output_truth_scanner', 'truth'> = frozen({
  ...SHARED,
  name: 'output_truth_scanner',
  // The prompt for its question alone.
  reads: ['prompt', 'response'],
  readsSystem: false,
  create: createRun('response'),
});

/**
 * Each claim of the response against the knowledge base. The findings name the statement that is about
 * the same; their score is the similarity. Their type is `contradicted`; `supported` where a contradiction
 * is unlikely and claim and statement cover each other; else `unclear`. The score `truth` is the largest
 * likelihood that a claim contradicts the knowledge base; without a back end it is null, and the status
 * `not_covered`, where claims or knowledge are in a language that the stage does not know.
 */
export function truth(options: TruthOptions & StageSettings = {}): StageValue {
  return stageValue(outputTruthStage, options);
}

/** Each claim of the prompt against the knowledge base; see {@link truth}. */
export function promptTruth(options: TruthOptions & StageSettings = {}): StageValue {
  return stageValue(promptTruthStage, options);
}

function createRun(target: Field): CreateStageRun {
  return (options, path, dependencies) => {
    const given = checkRecord(path, options, KEYS);
    const { knowledge = [], similarityThreshold = SIMILARITY_THRESHOLD } = given;
    const settings = {
      target,
      nuggets: checkNuggets(`${path}.knowledge`, knowledge),
      threshold: checkFraction(`${path}.similarityThreshold`, similarityThreshold),
      judge: checkJudgeOptions(options.judge, `${path}.judge`),
      embeddings: checkEmbeddingOptions(options.embeddings, `${path}.embeddings`),
    };
    const withScan = lazily(async () => {
      const { createTruthScan } = await import('./truth-scan.ts');
      return createTruthScan(settings, dependencies);
    });
    const isEmpty = settings.nuggets.length === 0;
    const run: StageRun = (context) => {
      if (isEmpty && context.material?.knowledge === undefined) return context.setScore(0);
      return withScan((scan) => scan(context));
    };
    return Object.assign(run, { load: isEmpty ? undefined : () => withScan(() => undefined) });
  };
}

function checkNuggets(path: string, value: unknown): readonly Nugget[] {
  if (!Array.isArray(value)) throw new PipelineConfigError(path, 'expected a list of statements');
  return value.map((item: unknown, index) => {
    if (typeof item === 'string') return { claim: item };
    const place = `${path}[${index}]`;
    const { id, claim } = checkRecord(place, item, new Set(['id', 'claim']));
    if (typeof id === 'string' && typeof claim === 'string') return { id, claim };
    throw new PipelineConfigError(place, 'expected a string, or an object with id and claim');
  });
}
