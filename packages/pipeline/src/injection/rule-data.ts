import type { PatternRule } from './evidence.ts';

/** A file of rules as it is written; `rules.schema.json` describes the members. */
export interface RuleFile {
  /** Fragments of expressions by name; `%{NAME}` in a pattern stands for one. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Flags of every pattern that names none itself. */
  readonly flags: string;
  readonly rules: readonly RuleEntry[];
}

interface RuleEntry {
  readonly rule: string;
  readonly note?: string;
  readonly weight: number;
  readonly pattern: string;
  readonly flags?: string;
  readonly needs?: readonly string[];
  readonly needsAlso?: readonly string[];
}

const PART = /%\{(\w+)\}/g;

/**
 * Makes the rules of a file.
 *
 * @throws RangeError for a pattern that names an unknown part
 */
export function readRules({ parts = {}, flags, rules }: RuleFile): PatternRule[] {
  return rules.map(({ rule, weight, pattern, flags: own = flags, needs, needsAlso }) => {
    const source = pattern.replace(PART, (_, name: string) => {
      const part = parts[name];
      if (part === undefined) throw new RangeError(`rule "${rule}": there is no part ${name}`);
      return part;
    });
    return { rule, weight, pattern: new RegExp(source, own), needs, needsAlso };
  });
}
