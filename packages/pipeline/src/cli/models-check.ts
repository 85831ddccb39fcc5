import { readFileSync } from 'node:fs';
import type { Classifier } from '../backends/types.ts';
import { checkAnswer } from '../classified/classifier-scan.ts';
import { createBackends } from '../settings/create-backends.ts';
import { builtInStage } from '../stages.ts';
import type { RowScannerConfig } from './row-scanner.ts';
import { RowScannerError } from './row-scanner.ts';
import { printColumns, visible } from './table.ts';

/** An ordinary sentence that ships with the package. */
interface Sentence {
  readonly id: string;
  readonly text: string;
  readonly lang: string;
  /** The purpose of the sentence, such as `chitchat`. */
  readonly kind: string;
}

/** A sentence that a model takes for harmful. */
interface FalseAlarm extends Sentence {
  readonly type: string;
  readonly score: number;
}

/** From this score on a classifier says that a text is of a type. */
const SAYS_SO = 0.5;
/** The largest share of ordinary sentences that a usable model takes for harmful. */
const MAX_SHARE = 0.01;
const GROUP = 16;
const HEADER = ['kind', 'language', 'type', 'score', 'text'];

/**
 * Runs the classifiers of a configuration on the ordinary sentences of this package and prints the
 * sentences that they take for harmful, by kind, most first.
 *
 * @param write takes the lines for the user
 * @returns the exit code: 0, or 1 where a model takes more than 1 % of the sentences for harmful
 * @throws RowScannerError where the configuration has no classifier, or a classifier gives no usable answer
 */
export async function checkModels(
  config: RowScannerConfig,
  write: (text: string) => unknown,
): Promise<number> {
  const { classifiers = {}, close } = createBackends(config.backends ?? {});
  const models = Object.entries(classifiers);
  if (models.length === 0) {
    throw new RowScannerError(
      'models check: the configuration names no model; add "backends": {"classifiers": {...}} to the file of --config',
    );
  }
  const sentences = readSentences();
  let code = 0;
  try {
    for (const [stage, classifier] of models) {
      const alarms = await findAlarms(stage, classifier, sentences);
      write(describe(stage, alarms, sentences));
      if (alarms.length > MAX_SHARE * sentences.length) code = 1;
    }
  } finally {
    await close();
  }
  return code;
}

function readSentences(): Sentence[] {
  const path = new URL('../../../models/ordinary.jsonl', import.meta.url);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Sentence);
}

async function findAlarms(
  stage: string,
  classifier: Classifier,
  sentences: readonly Sentence[],
): Promise<FalseAlarm[]> {
  const { types, classifier: { needsPlace = false } = {} } = builtInStage(stage) ?? {};
  const expected = { known: new Set(types), needsPlace };
  const alarms: FalseAlarm[] = [];
  for (let from = 0; from < sentences.length; from += GROUP) {
    const group = sentences.slice(from, from + GROUP);
    const texts = group.map(({ text }) => text);
    const answer = await ask(stage, async () =>
      checkAnswer(await classifier.classify(texts, new AbortController().signal), texts, expected),
    );
    group.forEach((sentence, at) => {
      const [worst] = [...(answer[at] ?? [])].sort((a, b) => b.score - a.score);
      if (worst !== undefined && worst.score >= SAYS_SO) alarms.push({ ...sentence, ...worst });
    });
  }
  return alarms;
}

async function ask<Answer>(stage: string, question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    throw new RowScannerError(`models check: ${stage}: ${(error as Error).message}`);
  }
}

function describe(
  stage: string,
  alarms: readonly FalseAlarm[],
  sentences: readonly Sentence[],
): string {
  const share = `${((100 * alarms.length) / sentences.length).toFixed(1)} %`;
  const head = `${stage}: ${alarms.length} of ${sentences.length} ordinary sentences taken for harmful (${share})`;
  const of = <One extends Sentence>(kind: string, all: readonly One[]) =>
    all.filter((one) => one.kind === kind);
  const kinds = [...new Set(alarms.map(({ kind }) => kind))]
    .map((kind) => [kind, of(kind, sentences).length, of(kind, alarms).length] as const)
    .sort(([, , a], [, , b]) => b - a);
  const lines = kinds.flatMap(([kind, all, wrong]) =>
    of(kind, alarms).map(({ lang, type, score, text }) => [
      `${kind} (${wrong} of ${all})`,
      lang,
      type,
      score.toFixed(2),
      visible(text),
    ]),
  );
  const table = lines.length === 0 ? [] : printColumns([HEADER, ...lines], { color: false });
  return `${[head, ...table].join('\n')}\n`;
}
