import type { Members } from '@probity/pipeline/protocols';

/**
 * The texts of a request that are no messages: tools with their descriptions and parameters, schemas of answers,
 * predictions, metadata, whatever a later version of the interface has.
 */
export interface SettingsTexts {
  readonly texts: readonly string[];
  /** The request with other texts in the same places. */
  replaced(texts: readonly string[]): Members;
}

type Visit = (text: string) => string;

/** @param left members of the body that are read as messages */
export function settingsTextsOf(body: Members, left: readonly string[]): SettingsTexts {
  const isLeft = (name: string) => name === 'model' || left.includes(name);
  const rest = membersOf(body, (name) => !isLeft(name));
  const texts: string[] = [];
  walk(rest, (text) => {
    texts.push(text);
    return text;
  });
  return {
    texts,
    replaced(given) {
      let index = 0;
      const settings = walk(rest, (text) => given[index++] ?? text) as Members;
      // Without the other members of the body: a name that was replaced must not stay.
      return { ...membersOf(body, isLeft), ...settings };
    },
  };
}

function membersOf(members: Members, isChosen: (name: string) => boolean): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isChosen(name)));
}

/** Shorter ones, as settings and schemas have (2147483647), look like telephone numbers; these may be of a card. */
const LONG_NUMBER = 1e12;
/** A number by chance. */
const SEED = 'seed';

function walk(value: unknown, visit: Visit): unknown {
  if (typeof value === 'string') return visit(value);
  if (typeof value === 'number' && Math.abs(value) >= LONG_NUMBER) {
    const digits = String(value);
    const visited = visit(digits);
    return visited === digits ? value : visited;
  }
  if (Array.isArray(value)) return value.map((each: unknown) => walk(each, visit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isChance = name === SEED && typeof each === 'number';
      return [visit(name), isChance ? each : walk(each, visit)];
    }),
  );
}
