import { didYouMean } from '@probity/pipeline';
import type { Environment } from './command-line.ts';
import { EMBEDDINGS_VARIABLES } from './embeddings.ts';
import { SETTINGS } from './settings.ts';

const PREFIX = 'PROBITY_';

/** Returns a warning for each variable that is likely a mistyped setting, which silently keeps its default. */
export function misspeltVariables(env: Environment): readonly string[] {
  const settings = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? []);
  const known = [...settings, ...EMBEDDINGS_VARIABLES];
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && env[name]?.trim() && !known.includes(name),
  );
  // Other programs have variables with this prefix; the comparison leaves the prefix out.
  const names = known.map((name) => name.slice(PREFIX.length));
  return unknown.flatMap((name) => {
    const guess = didYouMean(name.slice(PREFIX.length), names).replace('mean ', `mean ${PREFIX}`);
    return guess === '' ? [] : [`${name} is not a setting.${guess}`];
  });
}
