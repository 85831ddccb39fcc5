import type { Lexicon } from '@probity/pipeline/internal';
import type { Random } from '@probity/test-support/random';
import { splitSentences } from '../generators/claim-examples.ts';
import { toCorpusForm } from '../generators/corpus-form.ts';
import type { NewsReport } from '../generators/news.ts';
import { newsStatements } from '../generators/news.ts';
import type { BoostExample } from './boost.ts';
import { compareResponse, indexText, madeExamples } from './claim-rows.ts';
import type { ComparedRow } from './claim-trees.ts';

/** How statements by hand are named; the others are made of them by rule. */
const BY_HAND: ReadonlySet<string> = new Set(['written', 'summary']);
/** Reports in a long source, beside the one that a statement is about. */
const BESIDE = 3;

/**
 * Statements by hand about reports, compared with the report alone and, in lower case with the signs apart, with a long
 * source of several; and claims made by rule.
 */
export function newsExamples(
  lexicon: Lexicon,
  source: string,
  reports: readonly NewsReport[],
  random: Random,
): { readonly made: BoostExample[]; readonly rows: ComparedRow[] } {
  const made: BoostExample[] = [];
  const rows: ComparedRow[] = [];
  const sentences = reports.flatMap(({ text }) => splitSentences(text));
  for (const report of reports) {
    const others = reports.filter((other) => other !== report);
    const alone = indexText(lexicon, report.text);
    const among = indexText(lexicon, withOthers(report, others, random));
    for (const { text, faithful, kind } of newsStatements(report, others, random)) {
      const label = faithful ? 0 : 1;
      if (!BY_HAND.has(kind)) {
        const [features, ...more] = compareResponse(lexicon, text, undefined, alone);
        if (features !== undefined && more.length === 0)
          made.push({ features, label, weight: 0.3 });
        continue;
      }
      const row = { id: `${source}-${rows.length}`, task: 'hallucination', text, label, source };
      const claims = compareResponse(lexicon, text, undefined, alone);
      const plain = compareResponse(lexicon, toCorpusForm(text), undefined, among);
      for (const own of [claims, plain]) {
        rows.push({ row: { ...row, labels: { kind }, types: [], spans: [] }, claims: own });
      }
    }
    const foreign = sentences.filter((sentence) => !report.text.includes(sentence));
    made.push(...madeExamples(lexicon, report.text, foreign, random));
  }
  return { made, rows };
}

function withOthers({ text }: NewsReport, others: readonly NewsReport[], random: Random): string {
  const texts = random
    .shuffle([...others])
    .slice(0, BESIDE)
    .map((other) => other.text);
  texts.splice(random.below(BESIDE + 1), 0, text);
  return texts.join('\n');
}
