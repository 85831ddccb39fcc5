import type { Lexicon } from '../../language/lexicon.ts';
import type { WordReader } from '../../language/sentences.ts';
import type { WordSpan } from '../../language/words.ts';
import type { PreparedField } from '../../types.ts';
import type { RecordFindings } from './record-claims.ts';
import { RecordComparer } from './record-claims.ts';
import { recordReaderOf } from './record-format.ts';
import type { ReadRecords } from './record-sink.ts';
import { RecordTable } from './record-table.ts';

/** So much of the end of a prompt is looked at for words that an answer may repeat. */
const ASKED_LENGTH = 2_000;

/** Prose is read in parts of so many characters. */
const PART = 8192;

/** How the sources that are data are read, by field. */
export type RecordReaders = ReadonlyMap<PreparedField, ReadRecords>;

/** The sources that are data rather than prose: JSON, tables, markup, lists of names and values. */
export function recordReadersOf(sources: readonly PreparedField[]): RecordReaders {
  const readers = new Map<PreparedField, ReadRecords>();
  for (const source of sources) {
    if (source.field !== 'context') continue;
    const reader = recordReaderOf(source.text);
    if (reader !== undefined) readers.set(source, reader);
  }
  return readers;
}

/** Adds a value that is prose, part by part. */
function* addProse(prose: WordReader, text: string): Generator<void> {
  for (let from = 0; from < text.length; ) {
    const blank = text.length - from > PART ? text.lastIndexOf(' ', from + PART) : -1;
    const to = blank > from ? blank : Math.min(text.length, from + PART);
    prose.addText(text.slice(from, to));
    from = to;
    yield;
  }
}

/** Records that claims are held against. */
export interface RecordSource {
  /** Whether their words are of a language that is covered. */
  readonly isCovered: boolean;
  /** Whether some of their values are prose. */
  readonly hasProse: boolean;
  /** All numbers of the records. */
  numbers(): ReadonlySet<number>;
  /** Compares the claims of a response, in their order. */
  compare(span: WordSpan, text: string): RecordFindings;
}

/**
 * Reads the records of sources; what in them is prose goes to `prose`. Yields after some thousand values.
 *
 * @param prompt what was asked, if anything
 */
export function* readRecordSource(
  readers: RecordReaders,
  prompt: PreparedField | undefined,
  lexicon: Lexicon,
  prose: WordReader,
): Generator<void, RecordSource | undefined> {
  if (readers.size === 0) return undefined;
  const table = new RecordTable(lexicon);
  for (const [{ text }, read] of readers) {
    yield* read(text, table);
  }
  yield* table.finish();
  for (const text of table.sentences) yield* addProse(prose, text);
  const question = prompt?.text.slice(-ASKED_LENGTH) ?? '';
  const comparer = new RecordComparer(table, lexicon, question);
  const course = { unit: 0 };
  return {
    isCovered: table.words.areKnown,
    hasProse: table.sentences.length > 0,
    numbers: () => table.numbers.all(),
    compare: (span, text) => comparer.compare(span, text, course),
  };
}
