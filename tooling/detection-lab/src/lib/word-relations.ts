import { RELATION } from '@probity/pipeline/internal';
import type { Pointer, Sense, Synset, WordNet } from './wordnet.ts';

/** How one word relates to another one: bits of RELATION. */
export type RelationMap = Map<string, Map<string, number>>;

/** What of a dictionary counts. */
export interface RelationLimits {
  /** Meanings that a word has less often are left out, 0 to 1. */
  readonly leastShare: number;
  /** The same for what is above a word, or beside it. */
  readonly mainShare: number;
  /** How far up from a word broader ones are looked for. */
  readonly steps: number;
  /** Words that so many others are kinds of say too little to stand for any of them. */
  readonly mostNarrower: number;
}

/** Beside the bits of RELATION: needs not be borne out by anything, as where a place is. */
export const CERTAIN = 128;
/** Beside the bits of RELATION: by way of a third word. */
export const INDIRECT = 256;

const WORD = /^[a-z][a-z']*$/i;
const PLACE = /^#p$/;

/**
 * Reads off WordNet how single words relate: synonyms, broader words, parts of places, derived forms and
 * opposites. Keys are stems; both directions are there.
 *
 * @param stemOf the stem of a word, or undefined where the word is not wanted
 */
export function wordRelations(
  { synsets, senses }: WordNet,
  stemOf: (word: string) => string | undefined,
  limits: RelationLimits,
): RelationMap {
  const relations: RelationMap = new Map();
  const narrower = countNarrower(synsets);
  const shares = sharesOf(senses);
  const shareIn = (word: string, synset: Synset) =>
    shares.get(`${word.toLowerCase()}|${synset.id}`) ?? 0;
  const usual = (synset: Synset, least: number): string[] =>
    synset.words.filter((word) => WORD.test(word) && shareIn(word, synset) >= least);
  const add = (a: string, b: string, bits: number, back: number): void => {
    const [left, right] = [stemOf(a.toLowerCase()), stemOf(b.toLowerCase())];
    if (left === undefined || right === undefined || left === right) return;
    addBits(relations, left, right, bits);
    addBits(relations, right, left, back);
  };
  const both = (from: readonly string[], to: readonly string[], bits: number, back = bits) => {
    for (const a of from) for (const b of to) add(a, b, bits, back);
  };
  for (const synset of synsets.values()) {
    const words = usual(synset, limits.leastShare);
    if (words.length === 0) continue;
    both(words, words, RELATION.synonym);
    for (const pointer of synset.pointers) {
      const target = synsets.get(pointer.target) as Synset;
      for (const [a, b] of pointed(synset, pointer, target)) {
        if (shareIn(a, synset) < limits.leastShare || shareIn(b, target) < limits.leastShare)
          continue;
        if (pointer.symbol === '!') add(a, b, RELATION.opposite, RELATION.opposite);
        else add(a, b, RELATION.derived, RELATION.derived);
      }
      if (pointer.symbol === '&' && synset.pos === 'a') {
        both(words, usual(target, limits.leastShare), RELATION.near);
      }
    }
    const main = usual(synset, limits.mainShare);
    for (const above of broaderOf(synset, synsets, narrower, limits)) {
      const sure = isPlace(synset) ? CERTAIN : 0;
      both(main, usual(above, limits.mainShare), RELATION.broader | sure, RELATION.narrower | sure);
    }
  }
  for (const kinds of siblingsOf(synsets, (synset) => usual(synset, limits.mainShare))) {
    kinds.forEach((words, at) => {
      for (const others of kinds.slice(at + 1)) both(words, others, RELATION.topic);
    });
  }
  widenOpposites(relations);
  return relations;
}

/** What means the same as an opposite is one as well. */
function widenOpposites(relations: RelationMap): void {
  const has = (bits: number | undefined, bit: number) => ((bits ?? 0) & bit) !== 0;
  const found: [string, string][] = [];
  for (const [word, related] of relations) {
    for (const [against, bits] of related) {
      if (!has(bits, RELATION.opposite)) continue;
      for (const [other, alike] of relations.get(against) ?? []) {
        const same = has(alike, RELATION.synonym) && !has(alike, RELATION.opposite);
        if (same && other !== word && !has(related.get(other), RELATION.synonym)) {
          found.push([word, other]);
        }
      }
    }
  }
  for (const [word, other] of found) {
    addBits(relations, word, other, RELATION.opposite | INDIRECT);
    addBits(relations, other, word, RELATION.opposite | INDIRECT);
  }
}

/** More kinds of one thing than this have little to do with each other. */
const MOST_SIBLINGS = 150;

/** For each synset the words of the kinds right below it. */
function siblingsOf(
  synsets: ReadonlyMap<string, Synset>,
  wordsOf: (synset: Synset) => readonly string[],
): (readonly string[])[][] {
  const below = new Map<string, (readonly string[])[]>();
  for (const synset of synsets.values()) {
    const words = wordsOf(synset);
    if (words.length === 0) continue;
    for (const { symbol, target } of synset.pointers) {
      if (!symbol.startsWith('@')) continue;
      const held = below.get(target) ?? [];
      below.set(target, held);
      held.push(words);
    }
  }
  return [...below.values()].filter((kinds) => kinds.length <= MOST_SIBLINGS);
}

function addBits(relations: RelationMap, from: string, to: string, bits: number): void {
  const row = relations.get(from) ?? new Map<string, number>();
  relations.set(from, row);
  row.set(to, (row.get(to) ?? 0) | bits);
}

/** Single words of two synsets that a pointer between words is about: opposites, and derived forms. */
function pointed(
  synset: Synset,
  { symbol, from, to }: Pointer,
  target: Synset,
): [string, string][] {
  if (!['!', '+', '\\', '<'].includes(symbol) || from === 0) return [];
  const a = synset.words[from - 1] ?? '';
  const b = target.words[to - 1] ?? '';
  return WORD.test(a) && WORD.test(b) ? [[a, b]] : [];
}

function isPlace({ pointers }: Synset): boolean {
  return pointers.some(({ symbol }) => symbol === '@i');
}

/** Of how many synsets each is above, at any distance. */
function countNarrower(synsets: ReadonlyMap<string, Synset>): Map<string, number> {
  const below = new Map<string, Set<string>>();
  const reach = (synset: Synset): void => {
    const seen = new Set<string>();
    const open = [synset];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { symbol, target } of next.pointers) {
        if (!symbol.startsWith('@') || seen.has(target)) continue;
        seen.add(target);
        const above = below.get(target) ?? new Set<string>();
        below.set(target, above.add(synset.id));
        open.push(synsets.get(target) as Synset);
      }
    }
  };
  for (const synset of synsets.values()) reach(synset);
  return new Map([...below].map(([id, held]) => [id, held.size]));
}

function sharesOf(senses: ReadonlyMap<string, readonly Sense[]>): Map<string, number> {
  const shares = new Map<string, number>();
  for (const [word, held] of senses) {
    for (const { synset, share } of held) shares.set(`${word}|${synset.id}`, share);
  }
  return shares;
}

/** The synsets above one, near ones first, and the places that a place is in. */
function broaderOf(
  synset: Synset,
  synsets: ReadonlyMap<string, Synset>,
  narrower: ReadonlyMap<string, number>,
  { steps, mostNarrower }: RelationLimits,
): Synset[] {
  const found: Synset[] = [];
  let open = [synset];
  const reach = synset.pos === 'v' ? 1 : steps;
  for (let step = 0; step < reach && open.length > 0; step++) {
    open = open.flatMap(({ pointers }) =>
      pointers
        .filter(({ symbol }) => symbol.startsWith('@') || (isPlace(synset) && PLACE.test(symbol)))
        .map(({ target }) => synsets.get(target) as Synset)
        .filter((above) => (narrower.get(above.id) ?? 0) <= mostNarrower && !found.includes(above)),
    );
    found.push(...open);
  }
  return found;
}
