import type { TextBlock } from './text/prepared-text.ts';
import type { PreparedField, StageContext } from './types.ts';

/** Works on one block; a generator gets a checkpoint at each of its yields. */
export type VisitBlock = (block: TextBlock, field: PreparedField) => Iterable<unknown> | undefined;

/** Shorter texts are through before a checkpoint would be of use. */
const WORTH_A_CHECKPOINT = 2048;

/** Whether work on a text takes long enough for a checkpoint after each part of it. */
export function isWorthCheckpoints(text: string): boolean {
  return text.length >= WORTH_A_CHECKPOINT;
}

/**
 * Calls `visit` for every block of every field of a stage, with a checkpoint before each. Stays
 * synchronous (returns undefined) until a checkpoint wants the event loop to have a turn, so that a
 * short text costs no promise.
 *
 * @param visit no generator function of its own for each scan: V8 gives every generator function that runs a hidden
 * class in old space, which keeps all that the scan has made until a full collection
 */
export function forEachBlock(context: StageContext, visit: VisitBlock): Promise<void> | undefined {
  const walk = new BlockWalk(context, visit);
  const pause = walk.run();
  return pause === undefined ? undefined : finish(pause, walk);
}

async function finish(first: Promise<void>, walk: BlockWalk): Promise<void> {
  for (let pause: Promise<void> | undefined = first; pause !== undefined; pause = walk.run()) {
    await pause;
  }
}

// By hand: a generator would make an object for each of its steps.
class BlockWalk {
  readonly #context: StageContext;
  readonly #visit: VisitBlock;
  #field = 0;
  #block = 0;
  /** Whether the checkpoint before the next block is behind us. */
  #checked = false;
  #steps: Iterator<unknown> | undefined;

  constructor(context: StageContext, visit: VisitBlock) {
    this.#context = context;
    this.#visit = visit;
  }

  /** Goes on until a checkpoint asks for a pause, which is returned, or until all is done. */
  run(): Promise<void> | undefined {
    for (let field = this.#next(); field !== undefined; field = this.#next()) {
      if (this.#steps === undefined && !this.#checked) {
        const pause = this.#context.checkpoint();
        this.#checked = true;
        if (pause !== undefined) return pause;
      }
      const pause = this.#work(field);
      if (pause !== undefined) return pause;
    }
    return undefined;
  }

  /** The field of the block at hand; undefined behind the last one. */
  #next(): PreparedField | undefined {
    const { fields } = this.#context;
    while (this.#field < fields.length) {
      const field = fields[this.#field] as PreparedField;
      if (this.#block < field.blocks.length) return field;
      this.#field++;
      this.#block = 0;
    }
    return undefined;
  }

  /** Works on the block at hand, up to its end or to a pause. */
  #work(field: PreparedField): Promise<void> | undefined {
    if (this.#steps === undefined) {
      const block = field.blocks[this.#block] as TextBlock;
      this.#steps = this.#visit(block, field)?.[Symbol.iterator]();
    }
    while (this.#steps !== undefined && this.#steps.next().done !== true) {
      const pause = this.#check(this.#steps);
      if (pause !== undefined) return pause;
    }
    this.#steps = undefined;
    this.#checked = false;
    this.#block++;
    return undefined;
  }

  #check(steps: Iterator<unknown>): Promise<void> | undefined {
    try {
      return this.#context.checkpoint();
    } catch (error) {
      steps.return?.();
      throw error;
    }
  }
}
