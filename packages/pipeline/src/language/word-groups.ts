import opposites from './data/opposites.json' with { type: 'json' };
import synonyms from './data/synonyms.json' with { type: 'json' };
import topics from './data/topics.json' with { type: 'json' };

// Typed here: a declaration file that named a JSON module would ask every user for `resolveJsonModule`.

/** Pairs of groups of words that mean the opposite. */
export const OPPOSITES: readonly (readonly (readonly string[])[])[] = opposites;
/** Groups of words that mean the same. */
export const SYNONYMS: readonly (readonly string[])[] = synonyms;
/** Groups of words of one field. */
export const TOPICS: readonly (readonly string[])[] = topics;
