import type { WordClass } from '../injection/word-class.ts';
import type { NationalIdType } from '../pii/national/national-types.ts';
import type { PiiType } from '../pii/pii-types.ts';

/** Words or fragments of regular expressions, in lower case; `language.schema.json` says which form a list has. */
export type WordList = readonly string[];

/**
 * What the stages know of one language, as its file has it: lists that are joined with those of all other
 * languages. `language.schema.json` describes every member; a list that a language does not have is left out.
 */
export interface LanguageData {
  readonly tag: string;
  readonly name: string;
  readonly pii?: PiiWords;
  readonly secrets?: PasswordWords;
  readonly injection?: InjectionWords;
  readonly hallucination?: NonClaimWords;
  readonly comparison?: ComparisonWords;
  /** Words that tell it from its neighbors, where it has no words to compare by. */
  readonly commonWords?: WordList;
}

/** Words around numbers, for `pii_scanner`. */
interface PiiWords {
  readonly cues?: Readonly<Partial<Record<PiiType | NationalIdType, WordList>>>;
  readonly accountWords?: WordList;
  readonly numberedWords?: WordList;
  readonly referenceWords?: WordList;
  readonly harmlessWords?: WordList;
  readonly labelWords?: WordList;
  readonly passportIntroductions?: WordList;
  readonly countedThings?: WordList;
  readonly phoneCompounds?: WordList;
}

/** Words before a password, for `secrets_scanner`. */
interface PasswordWords {
  readonly passwordWords?: WordList;
  readonly introductions?: WordList;
  readonly relations?: WordList;
}

/** Words of attacks and of the prose around them, for `injection_scanner`. */
interface InjectionWords {
  readonly lexicon?: Readonly<Partial<Record<WordClass, WordList>>>;
  readonly override?: { readonly pattern: string; readonly needs: WordList };
  readonly functionWords?: WordList;
  readonly discussionWords?: WordList;
  readonly conditionals?: WordList;
  readonly conjunctions?: WordList;
  readonly questionOpenings?: WordList;
  readonly modelAddresses?: WordList;
  readonly turnLabels?: WordList;
}

/** Sentences that claim nothing, for `hallucination_detector`. */
export interface NonClaimWords {
  readonly greetings?: WordList;
  readonly thanks?: WordList;
  readonly thanksEndings?: WordList;
  readonly thanksReplies?: WordList;
  readonly agreements?: WordList;
  readonly closings?: WordList;
  readonly apologies?: WordList;
  readonly parts?: Readonly<Record<string, string>>;
  readonly forms?: readonly NonClaimSentence[];
}

/** A form of sentence that claims nothing. */
interface NonClaimSentence {
  readonly kind: string;
  readonly pattern: string;
  readonly digits?: boolean;
}

/** Words that claims are held against their sources by. English has more of them, in `language/data`. */
export interface ComparisonWords {
  /** Between tens and ones. */
  readonly and: string;
  /** Whether common nouns are written with capitals. */
  readonly capitalNouns?: boolean;
  readonly elisions?: WordList;
  /** The expression for words that a negation is joined to. */
  readonly negatedForms?: string;
  readonly endings: string;
  readonly functionWords: WordList;
  readonly negations: WordList;
  readonly negativeVerbs: WordList;
  readonly quantifiers: WordList;
  readonly modals: WordList;
  readonly numberWords: Readonly<Record<string, number>>;
  /** English months, days and units of time that words stand for. */
  readonly english: Readonly<Record<string, string>>;
  readonly units: WordList;
  readonly affirmations: WordList;
  readonly refusals: WordList;
  readonly frames: WordList;
  /** Pairs of groups of words that mean the opposite. */
  readonly opposites: readonly (readonly WordList[])[];
  /** Groups of words that mean the same. */
  readonly synonyms: readonly WordList[];
  /** Say that a number is computed. */
  readonly sums: WordList;
}
