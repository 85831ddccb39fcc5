import { RegExpParser } from '@eslint-community/regexpp';
import { PipelineConfigError } from '../errors.ts';
import { findAmbiguity } from './ambiguity.ts';
import type { Danger } from './automaton.ts';
import { createAutomaton, UncheckedPattern } from './automaton.ts';

/** A pattern in a configuration: an expression, its source, or its source with flags. */
export type PatternSource =
  | RegExp
  | string
  | { readonly source: string; readonly flags?: string | undefined };

const MAX_SOURCE = 1_000;
/** The flags that say what matches; `g`, `y` and `d` only say how the search is called. */
const FLAGS = /^[ims]*[uv]?[ims]*$/;
const parser = new RegExpParser({ ecmaVersion: 2025 });

/**
 * Compiles a pattern and proves that a search takes time linear in the text: the automaton of the
 * pattern must be ambiguous at most 1,000 times over. The proof is on the safe side: look-around and
 * anchors count as if they always held, so some patterns that are fast are refused as well, with the
 * part to change.
 *
 * @returns the expression with the flag `g`
 * @throws PipelineConfigError naming the option, the part of the pattern and why it is refused
 */
export function compileLinearPattern(path: string, pattern: unknown): RegExp {
  const { source, flags } = partsOf(path, pattern);
  if (source === '' || source.length > MAX_SOURCE) {
    throw new PipelineConfigError(path, `expected a pattern of 1 to ${MAX_SOURCE} characters`);
  }
  if (!FLAGS.test(flags)) {
    throw new PipelineConfigError(path, `expected flags out of i, m, s, u and v; got "${flags}"`);
  }
  let compiled: RegExp;
  try {
    compiled = new RegExp(source, `${flags}g`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new PipelineConfigError(path, `not a regular expression: ${message}`);
  }
  if (compiled.test('')) {
    throw new PipelineConfigError(
      path,
      'the pattern matches an empty text; make a part of it required',
    );
  }
  const danger = findDanger(source, flags);
  if (danger === undefined) return compiled;
  const part = danger.part === '' ? 'the pattern' : danger.part;
  throw new PipelineConfigError(path, `${part} could take too long: ${danger.reason}`);
}

function partsOf(path: string, pattern: unknown): { source: string; flags: string } {
  if (pattern instanceof RegExp) {
    return { source: pattern.source, flags: pattern.flags.replace(/[dgy]/g, '') };
  }
  if (typeof pattern === 'string') return { source: pattern, flags: 'u' };
  if (typeof pattern === 'object' && pattern !== null && 'source' in pattern) {
    const { source, flags = 'u' } = pattern as { source: unknown; flags?: unknown };
    if (typeof source === 'string' && typeof flags === 'string') return { source, flags };
  }
  throw new PipelineConfigError(path, 'expected a RegExp, a string, or { source, flags }');
}

function findDanger(source: string, flags: string): Danger | undefined {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  try {
    const parsed = parser.parsePattern(source, 0, source.length, mode);
    const automaton = createAutomaton(parsed, flags.includes('i'));
    for (const { part, inner } of automaton.lookArounds) {
      const danger = findAmbiguity(inner);
      if (danger !== undefined) return { ...danger, part };
    }
    return findAmbiguity(automaton);
  } catch (error) {
    if (error instanceof UncheckedPattern) return error.danger;
    const message = error instanceof Error ? error.message : String(error);
    return { part: '', reason: `it cannot be checked (${message})` };
  }
}
