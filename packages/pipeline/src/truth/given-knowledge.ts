import type { Field, PreparedField, StageContext, StageFinding } from '../types.ts';
import type { Nugget } from './knowledge-index.ts';
import { readTextClaims } from './text-claims.ts';

type ScanKnowledge = (context: StageContext) => Promise<void> | undefined;

/** Texts that statements are asked for in one scan. */
const MAX_TEXTS = 200;
/** So much of a text is read for claims at once, some milliseconds of work. */
const PIECE = 16_384;

/** Scans with the statements of the stage's options, if any, and with those that the scan was given. */
export async function withGivenKnowledge(
  context: StageContext,
  target: Field,
  own: ScanKnowledge | undefined,
  toScan: (statements: readonly Nugget[]) => ScanKnowledge | undefined,
): Promise<void> {
  const scores = new LargestScore(context);
  if (own) await own(scores.next());
  const claims: string[] = [];
  for (const field of context.fields) {
    if (field.field !== target && !(target === 'prompt' && field.field === 'system')) continue;
    for (const claim of readClaims(field)) {
      claims.push(claim);
      await context.checkpoint();
    }
  }
  const texts = gather(claims);
  const found =
    texts.length === 0 ? [] : await context.material?.knowledge?.(texts, context.signal, target);
  const scan = toScan(distinct(found ?? []));
  if (scan) await scan(scores.next());
  else if (!own) context.setScore(0);
}

/** The claims of a text; a long one is read in pieces that end at a line, a sentence or a blank. */
function* readClaims({ text }: PreparedField): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE >= text.length ? text.length : endOfPiece(text, start);
    for (const claim of readTextClaims(text.slice(start, end))) yield claim.text;
    start = end;
  }
}

function endOfPiece(text: string, start: number): number {
  const end = start + PIECE;
  for (const mark of ['\n', '. ', ' ']) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at > start) return at + mark.length;
  }
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}

/** At most {@link MAX_TEXTS} texts: neighboring claims together where there are more. */
function gather(claims: readonly string[]): string[] {
  const size = Math.ceil(claims.length / MAX_TEXTS);
  if (size <= 1) return [...claims];
  const texts: string[] = [];
  for (let at = 0; at < claims.length; at += size) {
    texts.push(claims.slice(at, at + size).join(' '));
  }
  return texts;
}

function distinct(statements: readonly Nugget[]): Nugget[] {
  return [...new Map(statements.map(({ id, claim }) => [id, { id, claim } as Nugget])).values()];
}

/** Of several scans by one stage the largest score counts; null where none of them covers the texts. */
class LargestScore {
  readonly #context: StageContext;
  readonly #scores: (number | null)[] = [];

  constructor(context: StageContext) {
    this.#context = context;
  }

  /** The context of the next scan. */
  next(): StageContext {
    const context = this.#context;
    const at = this.#scores.push(null) - 1;
    return {
      fields: context.fields,
      material: context.material,
      report: (finding: StageFinding) => context.report(finding),
      setScore: (score) => {
        this.#scores[at] = score;
        const known = this.#scores.filter((each) => each !== null);
        context.setScore(known.length > 0 ? Math.max(...known) : null);
      },
      get signal() {
        return context.signal;
      },
      get remainingMs() {
        return context.remainingMs;
      },
      checkpoint: () => context.checkpoint(),
    };
  }
}
