import type { StageDependencies } from './backends/types.ts';
import type { OwnFinding, OwnStage, OwnStageContext } from './define-stage.ts';
import { typeOf } from './known-members.ts';
import type { PreparedField, StageContext, StageFinding } from './types.ts';

/** Runs a stage of one's own: what it reports is checked before it counts. */
export function runOwnStage<Options>(
  stage: OwnStage<Options>,
  options: Options,
  dependencies: StageDependencies | undefined,
  context: StageContext,
): void | Promise<void> {
  const own = new OwnContext(context, stage, options, dependencies);
  // A stage that found nothing has looked at everything: its score is 0, not null.
  context.setScore(0);
  const ran: unknown = stage.run(own);
  if (typeof (ran as Partial<PromiseLike<unknown>> | null)?.then === 'function') {
    return Promise.resolve(ran).then((given) => refuseReturned(stage, given));
  }
  return refuseReturned(stage, ran);
}

/** Findings that are returned would be lost without a word. Other values are those of expressions, and mean nothing. */
function refuseReturned({ name }: Pick<OwnStage, 'name'>, given: unknown): void {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!all.some((each) => typeof each === 'object' && each !== null && 'type' in each)) return;
  throw new TypeError(`${name} returns findings; run must give each of them to report()`);
}

class OwnContext<Options> implements OwnStageContext<Options> {
  readonly options: Options;
  readonly dependencies: StageDependencies | undefined;
  readonly fields: readonly PreparedField[];
  readonly checkpoint: () => Promise<void> | undefined;
  readonly #context: StageContext;
  readonly #stage: OwnStage<Options>;
  #largest = 0;
  #hasSet = false;

  constructor(
    context: StageContext,
    stage: OwnStage<Options>,
    options: Options,
    dependencies: StageDependencies | undefined,
  ) {
    this.options = options;
    this.dependencies = dependencies;
    this.fields = context.fields;
    this.checkpoint = context.checkpoint;
    this.#context = context;
    this.#stage = stage;
  }

  // Stages may take these apart from their object.
  readonly report = (finding: OwnFinding): void => {
    const checked = checkFinding(finding, this.#stage, this.fields);
    this.#context.report(checked);
    if (this.#hasSet || checked.score <= this.#largest) return;
    this.#largest = checked.score;
    this.#context.setScore(checked.score);
  };

  readonly setScore = (score: number): void => {
    if (!isShare(score)) throw wrong(this.#stage, 'score', 'a number from 0 to 1', score);
    this.#hasSet = true;
    this.#context.setScore(score);
  };

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get remainingMs(): number {
    return this.#context.remainingMs;
  }
}

/** A name as types have; whatever else a stage calls a type may be a text that it has read. */
const TYPE_NAME = /^[a-z]{1,40}(?:_[a-z]{1,40}){1,5}$/;

/** Texts never stand in the errors: they may be logged. */
function checkFinding(
  finding: OwnFinding,
  stage: Pick<OwnStage, 'name' | 'types'>,
  fields: readonly PreparedField[],
): StageFinding {
  if (typeof finding !== 'object' || finding === null) {
    throw wrong(stage, 'finding', 'an object', finding);
  }
  const { type, score, field, contextIndex, start, end, reason = `found ${type}` } = finding;
  if (!stage.types.includes(type)) {
    const expected = `one of ${stage.types.join(', ')}`;
    throw wrong(stage, 'type', expected, type, TYPE_NAME.test(type) ? type : undefined);
  }
  if (!isShare(score)) throw wrong(stage, 'score', 'a number from 0 to 1', score);
  const text = fields.find((one) => one.field === field && one.contextIndex === contextIndex)?.text;
  if (text === undefined) {
    const known = fields.map(({ field: name, contextIndex: at }) =>
      at === undefined ? name : `${name} (contextIndex ${at})`,
    );
    throw wrong(stage, 'field', `one of those read: ${known.join(', ')}`, field);
  }
  const isWithin = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end;
  if (!isWithin || end > text.length) {
    const range = `whole numbers, 0 <= start <= end <= ${text.length}`;
    throw wrong(stage, 'start and end', range, undefined);
  }
  if (typeof reason !== 'string') throw wrong(stage, 'reason', 'a string', reason);
  const at = contextIndex === undefined ? {} : { contextIndex };
  // Half a character would be replaced, and the other half stay.
  const range = {
    start: splitsCharacter(text, start) ? start - 1 : start,
    end: splitsCharacter(text, end) ? end + 1 : end,
  };
  // Further members would reach results and what stores them.
  return { type, score, field, ...at, ...range, reason };
}

/** Whether a place is between the two units of one character. */
function splitsCharacter(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function wrong(
  { name }: Pick<OwnStage, 'name'>,
  member: string,
  expected: string,
  value: unknown,
  shown: string = typeOf(value),
): TypeError {
  const got = value === undefined ? '' : `; got ${shown}`;
  return new TypeError(`${name} reports a finding whose ${member} is not ${expected}${got}`);
}
