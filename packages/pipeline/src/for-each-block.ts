import type { TextBlock } from './text/prepared-text.ts';
import type { PreparedField, StageContext } from './types.ts';

/**
 * Calls `visit` for every block of every field of a stage, with a checkpoint before each. Stays
 * synchronous (returns undefined) until a checkpoint wants the event loop to have a turn, so that a
 * short text costs no promise.
 */
export function forEachBlock(
  context: StageContext,
  visit: (block: TextBlock, field: PreparedField) => void,
): Promise<void> | undefined {
  const steps = blockSteps(context, visit);
  for (let step = steps.next(); !step.done; step = steps.next()) {
    if (step.value !== undefined) return finish(step.value, steps);
  }
  return undefined;
}

type Steps = Generator<Promise<void> | undefined, void>;

function* blockSteps(
  context: StageContext,
  visit: (block: TextBlock, field: PreparedField) => void,
): Steps {
  for (const field of context.fields) {
    for (const block of field.blocks) {
      yield context.checkpoint();
      visit(block, field);
    }
  }
}

async function finish(pause: Promise<void>, steps: Steps): Promise<void> {
  await pause;
  for (let step = steps.next(); !step.done; step = steps.next()) {
    if (step.value !== undefined) await step.value;
  }
}
