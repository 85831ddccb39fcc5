import type { Members } from '@probity/pipeline/protocols';
import { keepNumbers } from '@probity/pipeline/protocols';

/** A number by chance, which may look like any other. */
const SEED = 'seed';

/**
 * The members of a request beyond its messages: tools with their descriptions and parameters, schemas of answers,
 * predictions, metadata, whatever a later version of the interface has.
 *
 * @param messageMembers members of the body that are read as messages
 */
export function settingsOf(body: Members, messageMembers: readonly string[]): Members {
  const left = new Set(['model', ...messageMembers]);
  const isSeed = (name: string, value: unknown) => name === SEED && typeof value === 'number';
  const chosen = Object.entries(body).filter(
    ([name, value]) => !left.has(name) && !isSeed(name, value),
  );
  return keepNumbers(Object.fromEntries(chosen), body);
}

/** The request with checked settings in the order of the body, under the names that were replaced alone. */
export function withSettings(body: Members, settings: Members, checked: Members): Members {
  const entries = Object.entries(checked);
  return Object.fromEntries(
    Object.entries(body).map((entry) =>
      Object.hasOwn(settings, entry[0]) ? (entries.shift() ?? entry) : entry,
    ),
  );
}
