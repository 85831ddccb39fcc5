import type { KnowledgeIndex, Lexicon } from '@probity/pipeline/internal';
import { createKnowledgeIndex } from '@probity/pipeline/internal';
import type { Random } from '@probity/test-support/random';
import { claimExamples, splitSentences } from '../generators/claim-examples.ts';
import { NEWS } from '../generators/news.ts';
import { readCompanion, readRows } from './rows.ts';
import { readWritten, readWrittenTexts } from './written-rows.ts';

const SENTENCES_PER_SOURCE = 500;
/** Made claims of these kinds go beyond their nugget without contradicting it. */
const BEYOND: ReadonlySet<string> = new Set(['stitch', 'embellish', 'foreign', 'word']);

/** A claim about one nugget of a list, about one of several, or about none (-1). */
export interface Statement {
  readonly text: string;
  readonly nugget: number;
  /** For a claim about a report: the numbers of its sentences, of which any is right. */
  readonly among?: readonly [number, number];
  /** Undefined where it neither follows from the nugget nor contradicts it. */
  readonly contradicts: boolean | undefined;
  readonly source: string;
  /** By hand, not by rule. */
  readonly written?: boolean;
  /** The question that the text answers. */
  readonly prompt?: string;
}

/** A knowledge base with claims that are held against it. */
export interface Base {
  readonly knowledge: KnowledgeIndex;
  readonly statements: readonly Statement[];
}

/** The rows of a split with their knowledge base. */
export function rowsOf(data: string, split: 'train' | 'dev', lexicon: Lexicon): Base {
  const nuggets = readCompanion(data, 'truth', split).map((claim) => ({ claim }));
  const statements = readRows(data, 'truth', split).map(({ text, labels, label, source }) => ({
    text,
    source,
    nugget: Number(labels.nugget ?? -1),
    contradicts: label === 1,
  }));
  return { knowledge: createKnowledgeIndex(nuggets, lexicon), statements };
}

/** The written statements about reports, whose sentences are known beside those of the rows. */
export function newsBase({ knowledge: { nuggets: others } }: Base, lexicon: Lexicon): Base {
  const nuggets = [...others];
  const statements: Statement[] = [];
  for (const [source, reports] of Object.entries(NEWS)) {
    for (const { text, faithful, unfaithful } of reports) {
      const from = nuggets.length;
      nuggets.push(...splitSentences(text).map((claim) => ({ claim })));
      const among = [from, nuggets.length] as const;
      const state = (contradicts: boolean) => (claim: string) =>
        statements.push({ text: claim, nugget: from, among, contradicts, source });
      faithful.forEach(state(false));
      unfaithful.forEach(state(true));
    }
  }
  return { knowledge: createKnowledgeIndex(nuggets, lexicon), statements };
}

/** Claims that were written about the statements of a knowledge base, among those of the rows. */
export function writtenBase(
  name: string,
  { knowledge: { nuggets: others } }: Base,
  lexicon: Lexicon,
): Base {
  const own = readWrittenTexts(`${name}.kb`).map((claim) => ({ claim }));
  const statements = readWritten(name).map(({ text, prompt, labels, label, source }) => ({
    text,
    ...(prompt === undefined ? {} : { prompt }),
    nugget: Number(labels.nugget),
    contradicts: label === 1,
    source,
    written: true,
  }));
  return { knowledge: createKnowledgeIndex([...own, ...others], lexicon), statements };
}

/** Knowledge bases from the sentences of the training documents, with claims made by rule. */
export function madeBases(data: string, lexicon: Lexicon, random: Random): Base[] {
  const bySource = new Map<string, Set<string>>();
  for (const { context, source } of readRows(data, 'hallucination', 'train')) {
    const held = bySource.get(source) ?? new Set();
    bySource.set(source, held);
    for (const sentence of splitSentences(context ?? '')) held.add(sentence);
  }
  return [...bySource].flatMap(([source, held]) => {
    const sentences = random.shuffle([...held]).slice(0, 2 * SENTENCES_PER_SOURCE);
    if (source.endsWith('gsm8k')) return [];
    const known = sentences.slice(0, SENTENCES_PER_SOURCE);
    const knowledge = createKnowledgeIndex(
      known.map((claim) => ({ claim })),
      lexicon,
    );
    const foreign = sentences.slice(SENTENCES_PER_SOURCE);
    return [{ knowledge, statements: madeStatements(source, known, foreign, random) }];
  });
}

function madeStatements(
  source: string,
  known: readonly string[],
  foreign: readonly string[],
  random: Random,
): Statement[] {
  return claimExamples(known, foreign, random).map(
    ({ text, prompt, faithful, kind, sentence }) => ({
      text: prompt === undefined ? text : `${prompt} ${text}`,
      nugget: sentence,
      contradicts: BEYOND.has(kind) || kind === 'joined' ? undefined : !faithful,
      source,
    }),
  );
}

/** Claims held against a knowledge base that has nothing of what they are about. */
export function elsewhere({ statements }: Base, { knowledge }: Base): Base {
  const foreign = statements.filter(({ nugget }) => nugget >= 0);
  return {
    knowledge,
    statements: foreign.map(({ among: _, ...statement }) => ({
      ...statement,
      nugget: -1,
      contradicts: undefined,
    })),
  };
}
