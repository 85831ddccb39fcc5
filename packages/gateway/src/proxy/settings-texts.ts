import type { Members, Steps } from '@probity/pipeline/protocols';
import {
  digitsOf,
  isStepDue,
  keepNumbers,
  numberText,
  runInTurns,
} from '@probity/pipeline/protocols';

/**
 * The texts of a request that are no messages: tools with their descriptions and parameters, schemas of answers,
 * predictions, metadata, whatever a later version of the interface has.
 */
export interface SettingsTexts {
  readonly texts: readonly string[];
  /** The request with other texts in the same places. */
  replaced(texts: readonly string[]): Promise<Members>;
}

type Visit = (text: string) => string;

/** @param left members of the body that are read as messages */
export async function settingsTextsOf(
  body: Members,
  left: readonly string[],
): Promise<SettingsTexts> {
  const isLeft = (name: string) => name === 'model' || left.includes(name);
  const rest = membersOf(body, (name) => !isLeft(name));
  const texts: string[] = [];
  const collect = (text: string) => {
    texts.push(text);
    return text;
  };
  await runInTurns(walk(rest, collect, true));
  return {
    texts,
    async replaced(given) {
      let index = 0;
      const steps = walk(rest, (text) => given[index++] ?? text, true);
      const settings = Object.entries((await runInTurns(steps)) as Members);
      // In the order of the body, under the names that were replaced alone.
      return Object.fromEntries(
        Object.entries(body).map(
          (entry) => (isLeft(entry[0]) ? entry : settings.shift()) as [string, unknown],
        ),
      );
    },
  };
}

function membersOf(members: Members, isChosen: (name: string) => boolean): Members {
  const chosen = Object.entries(members).filter(([name]) => isChosen(name));
  return keepNumbers(Object.fromEntries(chosen), members);
}

/** Shorter ones have no value of anything. */
const LONG_NUMBER = 1e6;
/** A number by chance, which may look like any other. */
const SEED = 'seed';

/**
 * @param isTop whether the value is the request itself
 * @param name of the member, or of the list that the value is in
 */
function* walk(value: unknown, visit: Visit, isTop = false, name = ''): Steps<unknown> {
  if (typeof value === 'string') return visit(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const [index, each] of value.entries()) {
      if (isStepDue()) yield;
      const isNumber = typeof each === 'number';
      list.push(
        isNumber
          ? walkNumber(value, index, each, { visit, label: name })
          : yield* walk(each, visit, false, name),
      );
    }
    return list;
  }
  const entries: [string, unknown][] = [];
  for (const [own, each] of Object.entries(value)) {
    if (isStepDue()) yield;
    const shown = visit(own);
    const isRead = typeof each === 'number' && !(isTop && own === SEED);
    const walked = isRead
      ? walkNumber(value, own, each, { visit, label: own })
      : yield* walk(each, visit, false, own);
    entries.push([shown, walked]);
  }
  return Object.fromEntries(entries);
}

function walkNumber(
  holder: object,
  key: string | number,
  value: number,
  { visit, label }: { readonly visit: Visit; readonly label: string },
): unknown {
  if (Math.abs(value) < LONG_NUMBER) return value;
  return visitNumber(label, digitsOf(numberText(holder, key, value)), visit) ?? value;
}

/** A number is read after its name, without which it may be anything; undefined where it stays. */
function visitNumber(label: string, digits: string, visit: Visit): string | undefined {
  const head = `${label}: `;
  const visited = visit(head + digits);
  if (visited === head + digits) return undefined;
  return visited.startsWith(head) ? visited.slice(head.length) : visited;
}
