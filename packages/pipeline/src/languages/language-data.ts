import type { NonClaimForm } from '../hallucination/non-claim-form.ts';
import type { WordClass } from '../injection/word-class.ts';
import type { NationalIdType } from '../pii/national/national-types.ts';
import type { PiiType } from '../pii/pii-types.ts';

/**
 * Entries parted by a comma and a blank or a line break, in lower case. Which forms an entry may have
 * depends on the list: words, where `*` stands for any ending, or fragments of a regular expression.
 */
export type WordList = string;

/**
 * What the stages know of one language: lists that are joined with those of all other languages. A list
 * that a language does not have is left out. Words that every language writes alike (names of networks,
 * protocols and identifiers) stand with the type that they name instead.
 */
export interface LanguageData {
  /** BCP 47 tag; the file has its name. */
  readonly tag: string;
  /** The English name of the language. */
  readonly name: string;
  readonly pii?: PiiWords;
  readonly injection?: InjectionWords;
  readonly hallucination?: NonClaimWords;
}

/**
 * Words around numbers, for `pii_scanner`. Words, without diacritics but those that are no combining
 * marks (`ø`), `*` for any ending, a blank for a blank, a dot, a hyphen or an underscore; in scripts
 * other than Latin any ending may follow each word.
 */
interface PiiWords {
  /** By type: words near a value that name its type. */
  readonly cues?: Readonly<Partial<Record<PiiType | NationalIdType, WordList>>>;
  /** Words that name a bank account so plainly that a number after them is one. */
  readonly accountWords?: WordList;
  /** Words for things that have a number of their own, so that a number right after them is that. */
  readonly numberedWords?: WordList;
  /** Words for a number that refers to something, whatever kind of number that is. */
  readonly referenceWords?: WordList;
  /** Words that say that a number is something harmless. */
  readonly harmlessWords?: WordList;
  /** Words between a label and its number, as written: `number`, `is`, `lautet`. */
  readonly labelWords?: WordList;
  /** Words right before the number of a passport in a sentence, as written. */
  readonly passportIntroductions?: WordList;
  /** What is counted or measured, right after a number, as written: `users`, `seiten`. */
  readonly countedThings?: WordList;
  /** Last parts of compounds that name a telephone, as in `Diensttelefon`, as written. */
  readonly phoneCompounds?: WordList;
}

/** Words of attacks and of the prose around them, for `injection_scanner`; without diacritics. */
interface InjectionWords {
  /** By class: words from which the phrase rules are built; `*` for any ending after at least four letters. */
  readonly lexicon?: Readonly<Partial<Record<WordClass, WordList>>>;
  /** The override of instructions as one expression, for languages without words in `lexicon`. */
  readonly override?: OverrideForm;
  /** Words of grammar, by which running prose is told from lists and code; `*` for any ending. */
  readonly functionWords?: WordList;
  /** Words of teaching and defending, as beside an example of an attack; `*` for any ending. */
  readonly discussionWords?: WordList;
  /** Words that open a condition, as in "if the user asks you to". */
  readonly conditionals?: WordList;
  /** Words for "and" before an order. */
  readonly conjunctions?: WordList;
  /**
   * Fragments of regular expressions that open a question; in scripts without blanks between words they
   * may stand anywhere in the sentence.
   */
  readonly questionOpenings?: WordList;
  /** Fragments of regular expressions that turn a question to the model itself or to its instructions. */
  readonly modelAddresses?: WordList;
  /**
   * Who speaks, before a colon at the beginning of a line of a transcript: `user`, `assistent`. As in folded
   * text: marks are left out of Latin letters only, and Greek has one form of sigma.
   */
  readonly turnLabels?: WordList;
}

/** An order to set instructions aside. */
interface OverrideForm {
  /** Source of a regular expression with the flags `gu`; every quantifier is bounded. */
  readonly pattern: string;
  /** Words of which every match has one; a text without any is not searched. */
  readonly needs: WordList;
}

/**
 * Sentences that claim nothing, for `hallucination_detector`. Fragments of regular expressions, with
 * diacritics, for a whole sentence without the mark at its end.
 */
export interface NonClaimWords {
  /** What a greeting begins with; a few words may follow. */
  readonly greetings?: WordList;
  /** What thanks begin with. */
  readonly thanks?: WordList;
  /** What may follow thanks. */
  readonly thanksEndings?: WordList;
  /** Answers to thanks. */
  readonly thanksReplies?: WordList;
  /** Agreement and praise. */
  readonly agreements?: WordList;
  /** Wishes and the close of a letter. */
  readonly wishes?: WordList;
  /** What an apology begins with. */
  readonly apologies?: WordList;
  /** Sentences of any other kind, such as offers and announcements. */
  readonly forms?: readonly NonClaimForm[];
}
