import { contaminationStage } from './contamination/contamination-stage.ts';
import { hallucinationStage } from './hallucination/hallucination-stage.ts';
import { injectionStage } from './injection/injection-stage.ts';
import { piiStage } from './pii/pii-stage.ts';
import { secretsStage } from './secrets/secrets-stage.ts';
import type { StageDefinition, StageFacts } from './stage-definition.ts';
import { factsOf } from './stage-definition.ts';
import type { BuiltInStageName, ClassifiedStage, KnownScore } from './stage-names.ts';
import { termsStage } from './terms/terms-stage.ts';
import { toxicityStage } from './toxicity/toxicity-stage.ts';
import { outputTruthStage, promptTruthStage } from './truth/truth-stage.ts';
import type { StageReport } from './types.ts';

/**
 * The stages of this package, in the order of a pipeline without configuration. They are imported
 * statically, so that bundlers, tracers of files and test runners see every module; weights and
 * tables are loaded at their first use.
 */
export const BUILT_IN_STAGES = Object.freeze([
  promptTruthStage,
  piiStage,
  injectionStage,
  toxicityStage,
  contaminationStage,
  hallucinationStage,
  outputTruthStage,
  secretsStage,
  termsStage,
] as const);

/** The definition of a stage of this package. */
type BuiltInStage = (typeof BUILT_IN_STAGES)[number];

/** `true` where two unions have the same members, so that a stage without its name in the leaf does not compile. */
type Same<One, Other> = [Exclude<One, Other>, Exclude<Other, One>] extends [never, never]
  ? true
  : false;

true satisfies Same<BuiltInStageName, BuiltInStage['name']>;
true satisfies Same<
  KnownScore,
  Exclude<BuiltInStage, { readonly hasOptionalScore: true }>['score']
>;
true satisfies Same<
  ClassifiedStage,
  Extract<BuiltInStage, { readonly classifier: object }>['name']
>;

/** The names of this package's stages, in the order of a pipeline without configuration. */
export const STAGE_NAMES: readonly BuiltInStageName[] = Object.freeze(
  BUILT_IN_STAGES.map(({ name }) => name),
);

/** The scores that each scan has, each once. */
export const KNOWN_SCORES = Object.freeze([
  ...new Set(
    BUILT_IN_STAGES.flatMap((stage: StageDefinition) =>
      stage.hasOptionalScore ? [] : [stage.score],
    ),
  ),
]) as readonly KnownScore[];

const BY_NAME: ReadonlyMap<string, StageDefinition> = new Map(
  BUILT_IN_STAGES.map((definition) => [definition.name, definition]),
);

/** The definition of one of this package's stages. */
export function builtInStage(name: string): StageDefinition | undefined {
  return BY_NAME.get(name);
}

/** Whether `value` is the name of one of this package's stages. */
export function isStageName(value: unknown): value is BuiltInStageName {
  return typeof value === 'string' && BY_NAME.has(value);
}

const UNKNOWN_STAGE: StageFacts = Object.freeze({
  score: '',
  scoring: 'findings',
  isScoreJudged: false,
  code: 'POLICY_BLOCKED',
  types: Object.freeze([]),
});

/**
 * What policies and streams need to know of a stage: as its report says, else as its definition in
 * this package does.
 */
export function stageFacts(reports: readonly StageReport[]): (name: string) => StageFacts {
  const own = new Map<string, StageFacts>();
  for (const { stage, facts } of reports) if (facts) own.set(stage, facts);
  return (name) => own.get(name) ?? BY_NAME_FACTS.get(name) ?? UNKNOWN_STAGE;
}

const BY_NAME_FACTS: ReadonlyMap<string, StageFacts> = new Map(
  BUILT_IN_STAGES.map((definition) => [definition.name, factsOf(definition)]),
);
