import type { RelatedWordTable } from '@probity/pipeline/internal';
import { RELATION } from '@probity/pipeline/internal';
import type { RelationMap } from './word-relations.ts';
import { CERTAIN, INDIRECT } from './word-relations.ts';

/** The words that get a list, in the order of the rows of the word vectors. */
export interface RelationRows {
  /** Stem of each row; undefined for one whose spelling is not known. */
  readonly stems: readonly (string | undefined)[];
  /** Names occur in like contexts without being alike. */
  readonly names: Uint8Array;
  /** The distributional similarity of two rows, -1 to 1. */
  likeness(a: number, b: number): number;
  /** For each row the rows nearest to it. */
  readonly neighbors: ReadonlyMap<number, readonly number[]>;
}

/** From which likeness on a relation of the dictionary, or none, is believed. */
export interface RelationFloors {
  readonly synonym: number;
  readonly derived: number;
  readonly broader: number;
  readonly near: number;
  /** For what is against a word by way of a third one. */
  readonly opposite: number;
}

const LONGEST = 255;
const ANY_BROADER = RELATION.broader | RELATION.narrower;

/**
 * Lists for each row the rows that it is related to: what the dictionary says where the contexts of both
 * words support it, and words of much the same contexts that the dictionary does not distinguish.
 */
export function relationTable(
  relations: RelationMap,
  rows: RelationRows,
  floors: RelationFloors,
): RelatedWordTable {
  const rowOfStem = new Map<string, number>();
  rows.stems.forEach((stem, row) => {
    if (stem !== undefined) rowOfStem.set(stem, row);
  });
  const lengths = new Uint8Array(rows.stems.length);
  const related: number[] = [];
  const bits: number[] = [];
  rows.stems.forEach((stem, row) => {
    if (stem === undefined) return;
    const known = relations.get(stem) ?? new Map<string, number>();
    const list = new Map<number, number>();
    for (const [other, said] of known) {
      const at = rowOfStem.get(other);
      const kept = at === undefined ? 0 : believed(said, rows.likeness(row, at), floors);
      if (kept !== 0) list.set(at as number, kept);
    }
    for (const at of rows.neighbors.get(row) ?? []) {
      const other = rows.stems[at] as string;
      if (list.has(at) || known.has(other) || rows.likeness(row, at) < floors.near) continue;
      if (rows.names[row] === 0 && rows.names[at] === 0) list.set(at, RELATION.near);
    }
    const sorted = [...list].sort(([a], [b]) => rows.likeness(row, b) - rows.likeness(row, a));
    const kept = sorted.slice(0, LONGEST).sort(([a], [b]) => a - b);
    lengths[row] = kept.length;
    for (const [at, said] of kept) {
      related.push(at);
      bits.push(said);
    }
  });
  return { lengths, rows: Uint16Array.from(related), bits: Uint8Array.from(bits) };
}

/** The bits that the likeness supports; a word of the same field that is another thing has the bit of topic. */
function believed(said: number, likeness: number, floors: RelationFloors): number {
  // Words that exclude each other occur in like contexts, or do not; the dictionary decides.
  const against = (said & RELATION.opposite) !== 0;
  if (against && ((said & INDIRECT) === 0 || likeness >= floors.opposite)) return RELATION.opposite;
  if (against) return 0;
  let kept = 0;
  if (likeness >= floors.synonym) kept |= said & RELATION.synonym;
  if (likeness >= floors.derived) kept |= said & RELATION.derived;
  if (likeness >= floors.broader || (said & CERTAIN) !== 0) kept |= said & ANY_BROADER;
  if (likeness >= floors.near) kept |= said & RELATION.near;
  // Nothing else distinguishes two things of one kind that occur in much the same contexts.
  if (kept === 0 && likeness >= floors.near) kept |= said & RELATION.topic;
  return kept;
}
