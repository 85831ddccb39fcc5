import type { Members } from '@probity/pipeline/protocols';

/**
 * The texts of a request that are no messages: tools with their descriptions and parameters, schemas of answers,
 * predictions, metadata, and whatever a later version of the interface has.
 */
export interface SettingsTexts {
  readonly texts: readonly string[];
  /** The request with other texts in the same places. */
  replaced(texts: readonly string[]): Members;
}

type Visit = (text: string) => string;

/** @param left members that are read otherwise */
export function settingsTextsOf(body: Members, left: readonly string[]): SettingsTexts {
  const texts: string[] = [];
  const { model: _, ...rest } = body;
  for (const name of left) delete (rest as Record<string, unknown>)[name];
  walk(rest, (text) => {
    texts.push(text);
    return text;
  });
  return {
    texts,
    replaced(given) {
      let index = 0;
      const next = walk(rest, (text) => given[index++] ?? text);
      return { ...body, ...(next as Members) };
    },
  };
}

/** Numbers are left out: those of settings and schemas, such as 2147483647, look like telephone numbers. */
function walk(value: unknown, visit: Visit): unknown {
  if (typeof value === 'string') return visit(value);
  if (Array.isArray(value)) return value.map((each: unknown) => walk(each, visit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [visit(name), walk(each, visit)]),
  );
}
