import type { Random } from '@probity/test-support/random';

/** Lists of texts by name; a text names another list in braces and gives choices as `[a|b|]`. */
export type Slots = Readonly<Record<string, readonly string[]>>;

const SLOT = /\{([a-zA-Z]\w*)\}/;
const CHOICE = /\[([^[\]{}]*)\]/;
const MOST_STEPS = 200;

/**
 * Fills a template: `{name}` becomes one of the texts of that list, `[a|b|]` one of the choices, the
 * empty one included, until nothing is left to fill. A name that is no list stays as it is, braces
 * and all; so do brackets without a bar.
 *
 * @throws RangeError when a template refers to itself without end
 */
export function expand(template: string, slots: Slots, random: Random): string {
  let text = template;
  for (let step = 0; step < MOST_STEPS; step++) {
    const choice = findChoice(text);
    if (choice !== null) {
      text = splice(text, choice, random.pick((choice[1] as string).split('|')));
      continue;
    }
    const slot = findSlot(text, slots);
    if (slot === null) return text.replace(/ {2,}/g, ' ').trim();
    text = splice(text, slot, random.pick(slots[slot[1] as string] as readonly string[]));
  }
  throw new RangeError(`a template that never ends: ${template}`);
}

function findChoice(text: string): RegExpExecArray | null {
  for (let from = 0; ; ) {
    const found = CHOICE.exec(text.slice(from));
    if (found === null) return null;
    found.index += from;
    if ((found[1] as string).includes('|')) return found;
    from = found.index + found[0].length;
  }
}

function findSlot(text: string, slots: Slots): RegExpExecArray | null {
  for (let from = 0; ; ) {
    const found = SLOT.exec(text.slice(from));
    if (found === null) return null;
    found.index += from;
    if (slots[found[1] as string] !== undefined) return found;
    from = found.index + found[0].length;
  }
}

function splice(text: string, found: RegExpExecArray, replacement: string): string {
  return text.slice(0, found.index) + replacement + text.slice(found.index + found[0].length);
}

/** `count` texts of a list of templates, each template about equally often, without doubles. */
export function expandMany(
  templates: readonly string[],
  count: number,
  slots: Slots,
  random: Random,
): string[] {
  const made = new Set<string>();
  for (let tries = 0; made.size < count && tries < count * 4; tries++) {
    made.add(expand(templates[tries % templates.length] as string, slots, random));
  }
  return [...made];
}
