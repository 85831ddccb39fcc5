import type { Lexicon } from '@probity/pipeline/internal';
import type { Random } from '@probity/test-support/random';
import { splitSentences } from '../generators/claim-examples.ts';
import { toCorpusForm } from '../generators/corpus-form.ts';
import type { NewsReport } from '../generators/news.ts';
import { newsStatements } from '../generators/news.ts';
import type { BoostExample } from './boost.ts';
import { compareResponse, indexText, madeExamples } from './claim-rows.ts';

/** A statement about a report, compared with it. */
export interface NewsExample extends BoostExample {
  /** How it was made; `written` and `summary` by hand. */
  readonly kind: string;
  /** Whether it is in lower case with its signs apart, and the report among others. */
  readonly plain: boolean;
  /** The share of its word pairs that the report does not have. */
  readonly novelty: number;
}

/** What statements by hand weigh: summaries are the most like what people and systems write. */
const WEIGHTS: Readonly<Record<string, number>> = { written: 1, summary: 3 };
const MADE_WEIGHT = 0.3;
/** Reports in a long source, beside the one that a statement is about. */
const BESIDE = 3;

/** Statements about reports, compared with the report alone or with others beside it. */
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
    const alone = indexText(lexicon, report.text);
    const beside = indexText(lexicon, withOthers(report, others, 1, random));
    const among = indexText(lexicon, withOthers(report, others, BESIDE, random));
    const known = new Set(wordPairs(report.text));
    const add = (text: string, index: typeof alone, labels: Labels): void => {
      const features = compareResponse(lexicon, text, undefined, index);
      if (features.length !== 1) return;
      news.push({ ...labels, features: features[0] as Float32Array });
    };
    for (const { text, faithful, kind } of newsStatements(report, others, random)) {
      const weight = WEIGHTS[kind] ?? MADE_WEIGHT;
      const pairs = wordPairs(text);
      const novelty = pairs.filter((pair) => !known.has(pair)).length / Math.max(1, pairs.length);
      const labels = { label: faithful ? 0 : 1, weight, kind, novelty };
      const byHand = kind in WEIGHTS;
      const near = random.next() < 0.5 ? alone : beside;
      add(text, byHand ? alone : near, { ...labels, plain: false });
      if (byHand) add(toCorpusForm(text), among, { ...labels, plain: true });
    }
    const foreign = sentences.filter((sentence) => !report.text.includes(sentence));
    made.push(...madeExamples(lexicon, report.text, foreign, random));
  }
  return { made, news };
}

type Labels = Omit<NewsExample, 'features'>;

function withOthers(
  { text }: NewsReport,
  others: readonly NewsReport[],
  count: number,
  random: Random,
): string {
  const beside = random.shuffle([...others]).slice(0, count);
  const texts = beside.map((other) => other.text);
  texts.splice(random.below(count + 1), 0, text);
  return texts.join('\n');
}

function wordPairs(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
}
