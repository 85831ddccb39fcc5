import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CurvePoint, SmallNet } from '@probity/pipeline/internal';
import {
  addMeaning,
  HEAD_NAMES,
  lostAt,
  meaningInput,
  runNet,
  scoreAt,
  toCategoryOdds,
  toOdds,
  writeMeaning,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import { readOptions, runScript } from './lib/arguments.ts';
import type { DenseExample, DenseSettings } from './lib/dense.ts';
import { fitDense } from './lib/dense.ts';
import type { HarmlessText } from './lib/length-curve.ts';
import { curveThrough, quantile } from './lib/length-curve.ts';
import { auroc } from './lib/metrics.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import type { KindRow } from './lib/second-rows.ts';
import { capRows, weighRows } from './lib/second-rows.ts';
import { embedTexts } from './lib/sentence-vectors.ts';
import * as first from './train-toxicity.ts';

const SEED = 20261130;
/** Rows of one source and label that are read. */
const MOST_ROWS = 500;
/** From how many on they count less each. */
const MOST_WEIGHT = 200;
/** Rows of longer texts are left out: their label may hold for a part that the encoder is not shown. */
const LONGEST = 512;
/** The share of ordinary texts that is judged again. */
const SCREENED = 0.05;
/** Ordinary texts below the screen that the net learns from: every third of at most this length. */
const LONGEST_ORDINARY = 200;
const ORDINARY_STEP = 3;
/** The weight of the net in the sum with the first step. */
const SHARE = 0.25;
/** The shares of ordinary texts at which figures before and after are compared. */
const COMPARED = [0.002, 0.01];

const SETTINGS: DenseSettings = {
  headWeights: HEAD_NAMES.map((name) => (name === 'any' ? 1 : 0.3)),
  hidden: 16,
  epochs: 3,
  rate: 0.02,
  l2: 1e-5,
  dropped: { inputs: 0.1, units: 0.3 },
  seed: SEED,
};

/** A row with its scores by category, by a first step that has not seen its source. */
export interface FirstRow extends KindRow {
  readonly scores: readonly number[];
  readonly tokens: number;
}

/** A row that is judged again, and its vector. */
export interface AskedRow extends FirstRow {
  readonly vector: Float32Array;
}

/** Trains on `--data DIR`, writes the file, prints unseen sources' figures before and after. */
async function main(): Promise<void> {
  const { data, out } = readOptions(process.argv.slice(2), ['out']);
  const rows = scoreUnseen(data);
  const screen = screenOf(rows);
  const asked = rows.filter(({ scores }) => Math.max(...scores) >= screen);
  const others = harmlessBelow(rows, screen);
  const vectors = await embedTexts([...asked, ...others].map(({ text }) => text));
  const judged = asked.map((row, at) => ({ ...row, vector: vectors[at] as Float32Array }));
  const beside = others.map((row, at) => ({
    ...row,
    vector: vectors[asked.length + at] as Float32Array,
  }));
  const { bytes, report } = learn(rows, judged, beside, screen);
  console.log(report);
  const file = join(out ?? MODELS_FOLDER, 'meaning-toxicity.bin');
  writeFileSync(file, bytes);
  console.log(
    `${judged.length} of ${rows.length} rows judged again; ${bytes.length} bytes: ${file}`,
  );
}

/** Rows of all sources, with the scores of first steps that have not seen the row's source. */
export function scoreUnseen(data: string): FirstRow[] {
  const rows = capRows(
    first.readAll(data).filter(({ text, lang }) => text.length <= LONGEST && lang.startsWith('en')),
    MOST_ROWS,
    createRandom(SEED),
  );
  const heldOut = first.predictUnseen(rows, first.prepare(rows));
  const { lengths, screen, curve } = first.calibrate(rows, heldOut);
  return rows.flatMap((row, at) => {
    const odds = heldOut[at];
    if (odds === undefined) return [];
    const lost = lostAt(lengths, odds.tokens);
    const isAbove = first.screened(odds) - lost >= screen;
    const heads = odds.table.map(
      (value, head) => value + (isAbove ? (odds.net[head] as number) : 0),
    );
    const scores = toCategoryOdds(heads).byCategory.map((value) => scoreAt(curve, value - lost));
    return [{ ...row, scores, tokens: odds.tokens }];
  });
}

/** The score that the given share of ordinary texts reaches. */
export function screenOf(rows: readonly FirstRow[]): number {
  const ordinary = rows.filter(isOrdinary).map((row) => harmless(row, Math.max(...row.scores)));
  return Math.round(quantile(ordinary, SCREENED) * 1e6) / 1e6;
}

/** Harmless texts below the screen of the tier: from them the net learns ordinary speech. */
export function harmlessBelow(rows: readonly FirstRow[], screen: number): FirstRow[] {
  return rows
    .filter(({ label, scores, text }) => {
      return label === 0 && Math.max(...scores) < screen && text.length < LONGEST_ORDINARY;
    })
    .filter((_, at) => at % ORDINARY_STEP === 0);
}

/** The file, and its scores on sources that its net has not seen. */
export function learn(
  rows: readonly FirstRow[],
  asked: readonly AskedRow[],
  others: readonly AskedRow[],
  screen: number,
): { readonly bytes: Uint8Array; readonly report: string } {
  const odds = new Map<FirstRow, readonly number[]>();
  for (const fold of first.FOLDS) {
    const net = fit([...asked, ...others].filter(({ source }) => !fold.test(source)));
    for (const row of asked) {
      if (fold.test(row.source)) odds.set(row, addMeaning(toOdds(row.scores), output(net, row)));
    }
  }
  const curve = curveOf(rows, asked, odds);
  const after = new Map(
    asked.map((row) => [row.text, odds.get(row)?.map((value) => scoreAt(curve, value))]),
  );
  const types = HEAD_NAMES.filter((name) => name !== 'any');
  const bytes = writeMeaning({ types, screen, curve, net: fit([...asked, ...others]) });
  return { bytes, report: compare(rows, after) };
}

function fit(rows: readonly AskedRow[]): SmallNet {
  const weights = weighRows(rows, MOST_WEIGHT);
  const net = fitDense(
    rows.map((row, at): DenseExample => {
      return {
        input: meaningInput(row.vector),
        targets: first.targetsOf(row),
        weight: (weights[at] as number) * first.factorOf(row),
      };
    }),
    SETTINGS,
  );
  return { ...net, headWeights: net.headWeights.map((value) => value * SHARE) };
}

function output(net: SmallNet, { vector }: AskedRow): number[] {
  return runNet(net, meaningInput(vector));
}

/** As many harmless texts as before reach the scores at which the stage reports and blocks. */
function curveOf(
  rows: readonly FirstRow[],
  asked: readonly AskedRow[],
  odds: ReadonlyMap<FirstRow, readonly number[]>,
): CurvePoint[] {
  const known = new Map(asked.map((row) => [row.text, odds.get(row)]));
  const texts = (of: (row: FirstRow) => boolean): HarmlessText[] =>
    rows
      .filter((row) => row.label === 0 && of(row))
      .map((row) => harmless(row, Math.max(...(known.get(row.text) ?? toOdds(row.scores)))));
  const tricky = (row: FirstRow) => first.TRICKY.test(row.source);
  return curveThrough(texts(isOrdinary), texts(tricky), first.CEILINGS, first.SLOPES);
}

function harmless({ kind, source, tokens }: FirstRow, logOdds: number): HarmlessText {
  return { logOdds, tokens, kind: first.TRICKY.test(source) ? source : kind };
}

function isOrdinary({ label, source }: FirstRow): boolean {
  return label === 0 && !first.HARD.test(source);
}

/** Recall of each harmful source and language at the same share of ordinary texts, before and after. */
function compare(
  rows: readonly FirstRow[],
  after: ReadonlyMap<string, readonly number[] | undefined>,
): string {
  const before = rows.map(({ scores }) => Math.max(...scores));
  const later = rows.map((row, at) => Math.max(...(after.get(row.text) ?? [before[at] as number])));
  const limits = COMPARED.map((share) =>
    [before, later].map((scores) =>
      quantile(
        rows.flatMap((row, at) => (isOrdinary(row) ? [harmless(row, scores[at] as number)] : [])),
        share,
      ),
    ),
  );
  const cells = new Map<string, number[]>();
  rows.forEach((row, at) => {
    for (const name of cellsOf(row)) cells.set(name, [...(cells.get(name) ?? []), at]);
  });
  const ordinary = [...rows.keys()].filter((at) => isOrdinary(rows[at] as FirstRow));
  const lines = [...cells]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, places]) => {
      const shares = limits.flatMap((pair) =>
        [before, later].map(
          (scores, step) =>
            places.filter((at) => (scores[at] as number) > (pair[step] as number)).length /
            places.length,
        ),
      );
      const areas = [before, later].map((scores) =>
        auroc([
          ...ordinary.map((at) => ({ score: scores[at] as number, positive: false })),
          ...places.map((at) => ({ score: scores[at] as number, positive: true })),
        ]),
      );
      return [name, `${places.length}`, ...[...shares, ...areas].map((value) => value.toFixed(3))];
    });
  const head = [
    'cell',
    'rows',
    ...COMPARED.flatMap((share) => [`${share}`, 'after']),
    'AUROC',
    'after',
  ];
  return [head, ...lines].map((line) => line.join('\t')).join('\n');
}

function cellsOf({ label, source, types }: FirstRow): string[] {
  if (label === 0) return first.HARD.test(source) ? ['harmless, hard', `hard ${source}`] : [];
  return ['harmful', `source ${source}`, ...types];
}

if (process.argv[1] === import.meta.filename) await runScript('train-meaning', main);
