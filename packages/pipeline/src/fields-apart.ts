import type { KeptField, KeptFields } from './kept-fields.ts';
import type { RiskTally } from './risk.ts';
import { createRiskTally } from './risk.ts';
import type { StageDefinition } from './stage-definition.ts';
import type { PreparedField, Stage, StageContext, StageFinding } from './types.ts';

/**
 * Runs a stage that reads its fields apart on one after the other: a text that is kept is not read again, what it
 * found in it is reported in its place. Synchronous as long as the stage is.
 */
export function runFieldsApart(
  stage: Stage,
  definition: StageDefinition,
  context: StageContext,
  kept: KeptFields,
): Promise<void> | undefined {
  const walk = new FieldWalk(stage, definition, context, kept);
  const pause = walk.run();
  return pause === undefined ? undefined : finish(pause, walk);
}

async function finish(first: Promise<void>, walk: FieldWalk): Promise<void> {
  for (let pause: Promise<void> | undefined = first; pause !== undefined; pause = walk.run()) {
    await pause;
    walk.pass();
  }
}

class FieldWalk {
  readonly #stage: Stage;
  readonly #context: StageContext;
  readonly #kept: KeptFields;
  readonly #score: FieldScores;
  #field = 0;
  #reading: OneField | undefined;

  constructor(stage: Stage, definition: StageDefinition, context: StageContext, kept: KeptFields) {
    this.#stage = stage;
    this.#context = context;
    this.#kept = kept;
    this.#score = new FieldScores(definition);
    context.setScore(0);
  }

  /** Goes on until the stage waits in a field, behind which is `pass`, or until all are read. */
  run(): Promise<void> | undefined {
    const { fields } = this.#context;
    while (this.#field < fields.length) {
      const field = fields[this.#field] as PreparedField;
      const known = this.#kept.get(this.#stage, field);
      if (known === undefined) {
        this.#reading = new OneField(this.#context, field, this.#score);
        const running = this.#stage.run(this.#reading);
        if (running !== undefined) return running;
        this.pass();
      } else {
        this.#repeat(known, field);
        this.#field++;
      }
    }
    return undefined;
  }

  /** Keeps the field that has been read, and goes on to the next. */
  pass(): void {
    const { fields } = this.#context;
    const { findings, score } = this.#reading as OneField;
    this.#kept.set(this.#stage, fields[this.#field] as PreparedField, { findings, score });
    this.#field++;
  }

  #repeat({ findings, score }: KeptField, { contextIndex }: PreparedField): void {
    for (const finding of findings) {
      this.#context.report(contextIndex === undefined ? finding : { ...finding, contextIndex });
      this.#score.add(finding);
    }
    this.#context.setScore(this.#score.with(score));
  }
}

/** The score of all fields, made of those of each. */
class FieldScores {
  /** Present where the score is the combined risk of all findings. */
  readonly #risk: RiskTally | undefined;
  #largest = 0;

  constructor({ scoring, risks }: StageDefinition) {
    this.#risk = scoring === 'risk' ? createRiskTally(risks) : undefined;
  }

  add(finding: StageFinding): void {
    this.#risk?.add(finding);
  }

  with(score: number): number {
    this.#largest = Math.max(this.#largest, score);
    return this.#risk?.risk() ?? this.#largest;
  }
}

/** A stage's context with one of its fields. */
class OneField implements StageContext {
  readonly fields: readonly [PreparedField];
  readonly findings: StageFinding[] = [];
  /** Of this field alone, as the stage has set it. */
  score = 0;
  readonly #context: StageContext;
  readonly #scores: FieldScores;

  constructor(context: StageContext, field: PreparedField, scores: FieldScores) {
    this.#context = context;
    this.fields = [field];
    this.#scores = scores;
  }

  // Stages may take these apart from their object.
  readonly report = (finding: StageFinding): void => {
    this.#context.report(finding);
    this.findings.push(finding);
    this.#scores.add(finding);
  };

  readonly setScore = (score: number | null): void => {
    this.score = score ?? 0;
    this.#context.setScore(this.#scores.with(this.score));
  };

  readonly checkpoint = (): Promise<void> | undefined => this.#context.checkpoint();

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get remainingMs(): number {
    return this.#context.remainingMs;
  }
}
