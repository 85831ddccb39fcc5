import type { StageDependencies } from './backends/types.ts';
import type { MeaningWeights } from './meaning/load-meaning.ts';
import type { PolicyRule, ViolationCode } from './policy-types.ts';
import type { Field, StageContext } from './types.ts';

/** How severe a finding is for the people who review alerts. */
export type FindingSeverity = 'low' | 'medium' | 'high' | 'critical';

/**
 * What the score of a stage is made of. `risk`: the combined risk of its findings
 * ({@link combinedPiiRisk}), with which thresholds of rules without types are compared as well.
 * `findings`: the largest score of a finding. `text`: a judgment on the texts as a whole. In a stream
 * the first two add up over the increments, the third is that of the last scan.
 */
export type ScoreKind = 'risk' | 'findings' | 'text';

/** How a classifier's answers become findings of a stage. */
export interface ClassifierScale {
  /** The options of the stage that switch its types. */
  readonly switches: readonly string[];
  /** The stage's score that stands for a classifier's 0.5. */
  readonly threshold: number;
  /** From where on a finding is reported. */
  readonly minScore: number;
  /** The option with values that are not reported. */
  readonly exceptions?: string;
  /** Whether only a part of a text is a finding, and nothing where the stage itself found something. */
  readonly needsPlace?: boolean;
}

/** How the tier `meaning` judges the texts of a stage again. */
interface MeaningScale {
  readonly weights: MeaningWeights;
  /** Options that make the stage report all that it finds, of every type. */
  readonly uncut: Readonly<Record<string, unknown>>;
  /** The score from which the stage reports, where its option `minScore` is not set. */
  readonly minScore: number;
}

/** A rule of the built-in policy, without the stage's name. */
export type StageRule = Omit<PolicyRule, 'stage'>;

/** What `probity-scan` does with a stage. */
export interface CommandLineUse {
  /** The option that must be set before the stage has a score. */
  readonly requires?: string;
  /** Options that make the stage report everything it finds. */
  readonly uncut?: Readonly<Record<string, unknown>>;
  /** The score from which a finding is reported without those options; the verdict is made from these. */
  readonly reportedFrom?: number;
  /** Whether what it finds is masked where texts are printed. */
  readonly isMasked?: boolean;
}

/** Runs a stage over the texts of one scan. */
export interface StageRun {
  (context: StageContext): void | Promise<void>;
  /** Loads what the first text would load: code, weights. */
  readonly load?: (() => void | Promise<void>) | undefined;
  /** See {@link Stage}. */
  readonly readsFieldsApart?: boolean | undefined;
}

/**
 * Checks the options of a stage and returns what runs it.
 *
 * @param path where the options stand in the configuration, for errors
 * @param dependencies what the program around the pipeline gives: configuration is data, back ends
 *   are not
 * @throws PipelineConfigError naming the option at fault
 */
export type CreateStageRun = (
  options: Readonly<Record<string, unknown>>,
  path: string,
  dependencies?: StageDependencies,
) => StageRun;

/**
 * Everything that the pipeline, the policies, streams, the command line and governance know about a
 * stage. A stage is added by writing one and listing it in `stages.ts`; a stage of one's own is made
 * by `defineStage`.
 */
export interface StageDefinition<Name extends string = string, Score extends string = string> {
  /** The name in configurations, policies and findings. */
  readonly name: Name;
  /** The member of `scores`; two stages may share one, the larger score counts. */
  readonly score: Score;
  /** Whether `scores` has the member only where the stage is on, rather than null where it is off. */
  readonly hasOptionalScore?: boolean;
  /** Every type that it may report. */
  readonly types: readonly string[];
  /** The fields that it reads, besides system text. */
  readonly reads: readonly Field[];
  /** Whether it reads system text, unless its configuration says otherwise. */
  readonly readsSystem: boolean;
  /** Whether it runs where no stages are configured. */
  readonly isDefault: boolean;
  readonly scoring: ScoreKind;
  /** Whether rules with a threshold and no types hold for a score that no finding explains. */
  readonly isScoreJudged: boolean;
  /**
   * How much harm a finding of a type does, 0 to 1; policies compare it times the finding's score.
   * Default 1 for every type.
   */
  readonly risks?: Readonly<Record<string, number>>;
  /** The code of the violation where it blocks. */
  readonly code: ViolationCode;
  /** Its rules in the built-in policy. */
  readonly rules: readonly StageRule[];
  /** Severity of alerts for its findings, by type and for other types. */
  readonly severities: {
    readonly byType?: Readonly<Record<string, FindingSeverity>>;
    readonly otherwise: FindingSeverity;
  };
  /** Whether it holds the response against other fields, which are then not scanned themselves. */
  readonly compares: boolean;
  /**
   * Options that are lists and may be given by settings as the path of a JSON file; `lists.terms` is the
   * member `terms` of each entry of the option `lists`.
   */
  readonly lists?: readonly string[];
  /** Present where a classifier can help the stage. */
  readonly classifier?: ClassifierScale;
  /** Present where the stage is judged again by the meaning of its texts. */
  readonly meaning?: MeaningScale | undefined;
  readonly commandLine?: CommandLineUse;
  /** What differs with options that `create` has accepted: types of the user's own, and their risks. */
  readonly withOptions?: (
    options: Readonly<Record<string, unknown>>,
  ) => Partial<Pick<StageDefinition, 'types' | 'risks'>>;
  readonly create: CreateStageRun;
}

/** The definition of a stage whose score is there only where it is on. */
export type OptionalStageDefinition<
  Name extends string = string,
  Score extends string = string,
> = StageDefinition<Name, Score> & { readonly hasOptionalScore: true };

/** The definition of a stage that a classifier can help. */
export type ClassifiedStageDefinition<
  Name extends string = string,
  Score extends string = string,
> = StageDefinition<Name, Score> & { readonly classifier: ClassifierScale };

/** A frozen definition. */
export function frozen<Definition extends StageDefinition>(definition: Definition): Definition {
  return Object.freeze(definition);
}

/** What of a definition stands in the reports of a scan, since policies need it. */
export type StageFacts = Pick<
  StageDefinition,
  'score' | 'scoring' | 'isScoreJudged' | 'code' | 'risks' | 'types'
>;

/** The facts of a definition, as plain data. */
export function factsOf(definition: StageDefinition): StageFacts {
  const { score, scoring, isScoreJudged, code, risks, types } = definition;
  return { score, scoring, isScoreJudged, code, types, ...(risks && { risks }) };
}

/** How severe a finding is, 0 to 1: the risk of its type times its score. */
export function severityOf(
  { risks }: Pick<StageFacts, 'risks'>,
  { type, score }: { readonly type: string; readonly score: number },
): number {
  if (risks === undefined) return score;
  // Of a type that is not known, the highest risk.
  return (Object.hasOwn(risks, type) ? (risks[type] as number) : 1) * score;
}
