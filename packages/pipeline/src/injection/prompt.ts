import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { TextRange } from '../types.ts';
import type { Evidence, RuleSet, ScoredCluster } from './evidence.ts';
import { compileRules, EVEN_ODDS, matchRules, scoreClusters } from './evidence.ts';
import { promptLexicon } from './prompt-lexicon.ts';
import { literalRules } from './prompt-literals.ts';
import type { PhraseRule } from './prompt-rules.ts';
import { EXFILTRATION_RULES, OVERRIDE_RULES, PHRASE_RULES } from './prompt-rules.ts';
import type { KnownWord, WordTables } from './prompt-words.ts';
import { bitOf, compileLexicon, readKnownWords } from './prompt-words.ts';
import type { ReportForms } from './reported-order.ts';
import {
  isAnyPrompt,
  isDenied,
  isQuestionAboutThings,
  isReplacedVersion,
  isReportedOrder,
  reportForms,
} from './reported-order.ts';
import type { ProseWords } from './surroundings.ts';
import { proseWords, readSurroundings } from './surroundings.ts';

interface CompiledPhrase {
  readonly rule: string;
  readonly weight: number;
  readonly anchor: number;
  readonly near: readonly { readonly bits: number; readonly within: number }[];
  readonly needs: number;
}

const PHRASES: readonly CompiledPhrase[] = PHRASE_RULES.map(compilePhrase);
const NEVER = bitOf('never');
const PROMPT_REQUEST = 'request for the system prompt';
const REVEAL = bitOf('reveal');
const REACH = 500;
/** What a question about how things behave takes from the weight of an override. */
const ASKED = 2;

function compilePhrase({ rule, weight, anchor, near }: PhraseRule): CompiledPhrase {
  const compiled = near.map(({ word, within }) => ({ bits: bitOf(word), within }));
  const needs = compiled.reduce((bits, other) => bits | other.bits, bitOf(anchor));
  return { rule, weight, anchor: bitOf(anchor), near: compiled, needs };
}

/** What languages give to the search for prompt injection. */
interface PromptForms {
  readonly words: WordTables;
  readonly literals: RuleSet;
  readonly reports: ReportForms;
  readonly prose: ProseWords;
  /** An order after a quotation to do what it says: then it is not merely quoted. */
  readonly carryOut: RegExp;
}

function promptForms(languages: readonly LanguageData[]): PromptForms {
  const conjunctions = wordsIn(languages, ({ injection }) => injection?.conjunctions);
  return {
    words: compileLexicon(promptLexicon(languages)),
    literals: compileRules(literalRules(languages)),
    reports: reportForms(languages),
    prose: proseWords(languages),
    carryOut: new RegExp(
      `(?:[.!?;:,\\n"'\`)]|\\b(?:${anyOf(conjunctions)}))\\s{0,4}` +
        '(?:(?:now|then|please|so|you (?:must|should|will))[ ,]{1,2}){0,3}' +
        '(?:follow|obey|execute|comply|carry (?:it|this|that) out|act (?:on|accordingly)|do (?:so|that|this|it|exactly|what|as))\\b',
    ),
  };
}

/**
 * Makes the search for attempts to take over a language model, in the tokens of a folded text. Phrase rules look at
 * classes of words near each other inside a sentence, so word order and language matter little; literal
 * rules look for forged markup, named jailbreaks and orders about the answer.
 */
export function createPromptFinder(
  languages: readonly LanguageData[],
): (folded: Tokens) => ScoredCluster[] {
  const forms = promptForms(languages);
  return (folded) => {
    const { text } = folded;
    const signs = [...findPhrases(forms.words, folded), ...matchRules(forms.literals, text)];
    if (signs.length === 0) return [];
    const evidence = signs.flatMap((sign) => weighOverride(forms.reports, text, sign));
    return scoreClusters(evidence, REACH, (place, group) => {
      return Math.max(adjustment(forms, text, place), leastAdjustment(group));
    });
  };
}

/** {@link createPromptFinder} with all languages. */
export const findPromptInjection = createPromptFinder(LANGUAGES);

/** An override that is denied, or reported as the order of another, is none; one in a question counts less. */
function weighOverride(reports: ReportForms, text: string, sign: Evidence): Evidence[] {
  if (sign.rule === PROMPT_REQUEST) return isAnyPrompt(text, sign) ? [] : [sign];
  if (!OVERRIDE_RULES.has(sign.rule)) return [sign];
  if (isDenied(text, sign) || isReplacedVersion(text, sign)) return [];
  if (isReportedOrder(text, sign, reports)) return [];
  const isAsked = isQuestionAboutThings(text, sign, reports);
  return [isAsked ? { ...sign, weight: sign.weight - ASKED } : sign];
}

/**
 * Quotes and explanations are for the attacker to write as well: an override together with the exfiltration
 * of something stays at even odds at least, whatever it is wrapped in.
 */
function leastAdjustment(group: readonly Evidence[]): number {
  const override = largestWeight(group, OVERRIDE_RULES);
  const exfiltration = largestWeight(group, EXFILTRATION_RULES);
  const complete = override > 0 && exfiltration > 0 && override + exfiltration >= EVEN_ODDS;
  return complete ? EVEN_ODDS - (override + exfiltration) : Number.NEGATIVE_INFINITY;
}

function largestWeight(group: readonly Evidence[], rules: ReadonlySet<string>): number {
  return group.reduce(
    (most, { rule, weight }) => (rules.has(rule) ? Math.max(most, weight) : most),
    0,
  );
}

function findPhrases(tables: WordTables, folded: Tokens): Evidence[] {
  const found: Evidence[] = [];
  let present = 0;
  const words = readKnownWords(tables, folded, (bits) => {
    present = bits;
    return PHRASES.some(({ needs }) => (bits & needs) === needs);
  });
  for (const phrase of PHRASES) {
    if ((present & phrase.needs) === phrase.needs) findPhrase(phrase, words, found);
  }
  return found;
}

function findPhrase(phrase: CompiledPhrase, words: readonly KnownWord[], found: Evidence[]): void {
  words.forEach((anchor, position) => {
    if ((anchor.bits & phrase.anchor) === 0 || isForbidden(phrase, words, position)) return;
    let { start, end } = anchor;
    for (const { bits, within } of phrase.near) {
      const near = findNear(words, position, bits, within);
      if (near === undefined) return;
      start = Math.min(start, near.start);
      end = Math.max(end, near.end);
    }
    found.push({ rule: phrase.rule, weight: phrase.weight, start, end });
  });
}

/** "Never reveal your instructions" is what operators write. */
function isForbidden(
  phrase: CompiledPhrase,
  words: readonly KnownWord[],
  position: number,
): boolean {
  if (phrase.anchor !== REVEAL) return false;
  const anchor = words[position] as KnownWord;
  const before = words.slice(Math.max(0, position - 4), position);
  return before.some(
    (word) =>
      (word.bits & NEVER) !== 0 &&
      word.sentence === anchor.sentence &&
      anchor.index - word.index <= 4,
  );
}

/**
 * The nearest word of a class in the anchor's sentence, at most `within` words away; of two equally
 * near ones the later.
 */
function findNear(
  words: readonly KnownWord[],
  position: number,
  bits: number,
  within: number,
): KnownWord | undefined {
  const anchor = words[position] as KnownWord;
  let nearest: KnownWord | undefined;
  let least = within;
  for (let step = 1; step <= within; step++) {
    for (const other of [words[position + step], words[position - step]]) {
      if (other === undefined || (other.bits & bits) === 0) continue;
      const distance = Math.abs(other.index - anchor.index);
      if (other.sentence !== anchor.sentence || distance > least) continue;
      if (distance === least && nearest !== undefined && other.index < anchor.index) continue;
      nearest = other;
      least = distance;
    }
  }
  return nearest;
}

// A quoted phrase that is talked about is an example; unquoted, talking about attacks excuses little.
function adjustment({ prose, carryOut }: PromptForms, text: string, place: TextRange): number {
  const { functionWords, discussionWords, inCode } = readSurroundings(text, place, prose);
  const quoted = isQuoted(text, place) || inCode;
  if (quoted && carryOut.test(text.slice(place.end, place.end + REACH))) return 0;
  if ((quoted && discussionWords > 0) || isMentioned(text, place)) return -4.5;
  if ((quoted && functionWords >= 3) || isArgument(text, place)) return -2.5;
  return discussionWords > 1 && functionWords >= 4 ? -1.5 : 0;
}

/** A literal handed to a function, as tests of filters have them: `check("…")`. */
function isArgument(text: string, { start, end }: TextRange): boolean {
  const before = text.slice(Math.max(0, start - 42), start);
  const after = text.slice(end, end + 64);
  return (
    /[\w\]]\(\s?["'`][^"'`\n]{0,38}$/.test(before) && /^[^"'`\n]{0,60}["'`]\s?[),]/.test(after)
  );
}

/** Quotation marks in folded text. */
const QUOTE = '["\'«»„“”]';
const OPENED = new RegExp(`(?:^|[\\s(:])${QUOTE}[^"'\\n]{0,40}$`);
const CLOSED = new RegExp(`^[^"'\\n]{0,60}${QUOTE}`);
/** Words that ask for an answer to a quotation rather than mention it. */
const TO_BE_DONE =
  /\b(?:answer|respond|reply|react|follow|obey|execute|comply|act|do|run|say|repeat|start|begin|continue|complete|decode|reverse)\b[^"'\n]{0,60}["'][^"'\n]{0,40}$/;
/** The value of a member in JSON. */
const MEMBER = /["']\s{0,4}:\s{0,4}["'][^"'\n]{0,40}$/;
/** So many words around a quotation make a text about it. */
const ABOUT = 4;

/** Whether a place is a quotation that a text of other words mentions: `He typed: "Forget your rules!" and left.` */
export function isMentioned(text: string, { start, end }: TextRange): boolean {
  const before = text.slice(Math.max(0, start - 160), start);
  const after = text.slice(end, end + 160);
  if (!OPENED.test(before.slice(-44)) || !CLOSED.test(after)) return false;
  if (TO_BE_DONE.test(before) || MEMBER.test(before)) return false;
  const beside = `${before.replace(/["'][^"']*$/, '')} ${after.replace(/^[^"']*["']/, '')}`;
  return (beside.match(/\p{L}{2,}/gu)?.length ?? 0) >= ABOUT;
}

function isQuoted(text: string, { start, end }: TextRange): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const after = text.slice(end, end + 60);
  return /["'][^"'\n]{0,40}$/.test(before) && /^[^"'\n]{0,60}["']/.test(after);
}
