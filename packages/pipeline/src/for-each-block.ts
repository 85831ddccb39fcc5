import type { TextBlock } from './text/prepared-text.ts';
import type { PreparedField, StageContext } from './types.ts';

/** Works on one block; a generator gets a checkpoint at each of its yields. */
export type VisitBlock = (block: TextBlock, field: PreparedField) => Iterable<unknown> | undefined;

/**
 * Calls `visit` for every block of every field of a stage, with a checkpoint before each. Stays
 * synchronous (returns undefined) until a checkpoint wants the event loop to have a turn, so that a
 * short text costs no promise.
 */
export function forEachBlock(context: StageContext, visit: VisitBlock): Promise<void> | undefined {
  const steps = blockSteps(context, visit);
  for (let step = steps.next(); !step.done; step = steps.next()) {
    if (step.value !== undefined) return finish(step.value, steps);
  }
  return undefined;
}

type Steps = Generator<Promise<void> | undefined, void>;

function* blockSteps(context: StageContext, visit: VisitBlock): Steps {
  for (const field of context.fields) {
    for (const block of field.blocks) {
      yield context.checkpoint();
      for (const _ of visit(block, field) ?? []) yield context.checkpoint();
    }
  }
}

async function finish(pause: Promise<void>, steps: Steps): Promise<void> {
  await pause;
  for (let step = steps.next(); !step.done; step = steps.next()) {
    if (step.value !== undefined) await step.value;
  }
}
