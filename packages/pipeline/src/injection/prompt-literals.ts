import type { LanguageData } from '../languages/language-data.ts';
import { wordsIn } from '../languages/word-list.ts';
import literals from './data/prompt-literals.json' with { type: 'json' };
import type { PatternRule } from './evidence.ts';
import { readRules } from './rule-data.ts';

/** Forged markup, named jailbreaks and orders in English. */
const ENGLISH_RULES: readonly PatternRule[] = readRules(literals);

/** Literal signs of prompt injection, over folded text: English, and the overrides of languages. */
export function literalRules(languages: readonly LanguageData[]): readonly PatternRule[] {
  const patterns = languages.flatMap(({ injection }) => injection?.override?.pattern ?? []);
  const needs = wordsIn(languages, ({ injection }) => injection?.override?.needs);
  if (patterns.length === 0) return ENGLISH_RULES;
  const pattern = new RegExp(patterns.join('|'), 'gu');
  return [...ENGLISH_RULES, { rule: 'override in other scripts', weight: 4, pattern, needs }];
}
