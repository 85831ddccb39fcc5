import type { Lexicon } from '../../src/language/lexicon.ts';
import { splitSentences } from '../data/claim-examples.ts';
import { type NewsReport, newsStatements } from '../data/news.ts';
import type { BoostExample } from './boost.ts';
import { compareResponse, indexText, madeExamples } from './claim-rows.ts';
import type { Random } from './random.ts';

/** A statement about a report, compared with it. */
export interface NewsExample extends BoostExample {
  /** How it was made; `written` by hand. */
  readonly kind: string;
  /** The share of its word pairs that the report does not have. */
  readonly novelty: number;
}

/**
 * Written true statements are few, and the only ones in the words that people find: they keep the
 * score of free wording down.
 */
const WRITTEN_TRUE = 20;
const WRITTEN_FALSE = 2;

/** Statements about reports, compared with the report alone or with another one beside it. */
export function newsExamples(
  lexicon: Lexicon,
  reports: readonly NewsReport[],
  random: Random,
): { readonly made: BoostExample[]; readonly news: NewsExample[] } {
  const made: BoostExample[] = [];
  const news: NewsExample[] = [];
  const sentences = reports.flatMap(({ text }) => splitSentences(text));
  for (const report of reports) {
    const others = reports.filter((other) => other !== report);
    const source = random.next() < 0.5 ? report.text : withAnother(report, others, random);
    const [alone, beside] = [indexText(lexicon, report.text), indexText(lexicon, source)];
    const known = new Set(wordPairs(report.text));
    for (const { text, faithful, kind } of newsStatements(report, others, random)) {
      const written = kind === 'written';
      const compared = compareResponse(lexicon, text, undefined, written ? alone : beside);
      const features = compared[0];
      if (features === undefined || compared.length !== 1) continue;
      const weight = written ? (faithful ? WRITTEN_TRUE : WRITTEN_FALSE) : 1;
      const pairs = wordPairs(text);
      const novelty = pairs.filter((pair) => !known.has(pair)).length / Math.max(1, pairs.length);
      news.push({ features, label: faithful ? 0 : 1, weight, kind, novelty });
    }
    const foreign = sentences.filter((sentence) => !report.text.includes(sentence));
    made.push(...madeExamples(lexicon, report.text, foreign, random));
  }
  return { made, news };
}

function withAnother({ text }: NewsReport, others: readonly NewsReport[], random: Random): string {
  const other = random.pick(others).text;
  return random.next() < 0.5 ? `${text}\n${other}` : `${other}\n${text}`;
}

function wordPairs(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
}
