import type { ClassEntry, ClassTable } from '@probity/pipeline/internal';
import { hashOfSign, hashOfWord } from '@probity/pipeline/internal';
import {
  BODY_WORDS,
  CONTEXT_WORDS,
  classForms,
  classNumber,
  HOSTILE_WORDS,
  OTHER_LANGUAGES,
} from './word-classes.ts';

const CLASSES = { ...HOSTILE_WORDS, ...BODY_WORDS, ...CONTEXT_WORDS };
/** The first class whose words say nothing by themselves. */
const FIRST_FUNCTION = 'first';
/** Signs of the tone of a text; each is a class of its own. */
const SIGNS = ['?', '!', '"', "'", '@', '#', '<', '*'];
const FIRST_SIGN = 2 * Object.keys(CLASSES).length + 1;

/** The words of all classes, by hash. */
export const TOXICITY_LEXICON: ClassTable = {
  entries: [
    ...[...classForms(CLASSES, OTHER_LANGUAGES)].map(
      ([form, number]): ClassEntry => [hashOfWord(form), number],
    ),
    ...SIGNS.map((sign, at): ClassEntry => [hashOfSign(sign), FIRST_SIGN + at]),
  ],
  content: classNumber(CLASSES, FIRST_FUNCTION),
};
