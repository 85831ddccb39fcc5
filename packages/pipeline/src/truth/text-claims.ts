import type { Claim } from '../language/claims.ts';
import { claimsOf } from '../language/claims.ts';
import { isCovered } from '../language/covered.ts';
import { readWords } from '../language/sentences.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { WordSpan, Words } from '../language/words.ts';
import { forgetScannedTexts } from '../scan-memory.ts';
import { FRAGMENT, judgePair, nearestPair, repeatsNugget } from './check-claim.ts';
import type { Nugget } from './knowledge-index.ts';
import { createKnowledgeIndex } from './knowledge-index.ts';
import { contradictionModel } from './model.ts';
import type { TruthType } from './scored-claim.ts';
import { typeOf } from './scored-claim.ts';

/** A statement of a text; offsets are UTF-16 code units, half-open. */
export interface TextClaim {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Holds it against statements that are taken for true. */
  check(nuggets: readonly Nugget[]): ClaimCheck | null;
}

/** What statements that are taken for true say of a claim. */
export interface ClaimCheck {
  readonly type: TruthType;
  /** Number of the statement that is about the same. */
  readonly nugget: number;
  /** How far both are about the same, 0 to 1; from 0.7 on they are. */
  readonly similarity: number;
  /** How likely the one contradicts the other, 0 to 1, if both are about the same. */
  readonly contradiction: number;
  /**
   * Whether the claim is supported and says all of the statement in its words, or with ones that mean the same: nothing is
   * added, left out, changed or moved. Of claims in free wording the check may take a contradiction for support.
   */
  readonly isRepetition: boolean;
}

/**
 * Cuts a text into the statements that it makes, and checks each as the stage `truth` does, against statements of the
 * caller's choice: for knowledge bases that are too large for the options of a stage. A check is null where no
 * statement shares enough with the claim, or the stage does not know the language of either.
 */
export function readTextClaims(text: string): TextClaim[] {
  const words = readWords(sharedLexicon(), text);
  const isTextCovered = isCovered(words);
  return claimsOf(words, undefined, FRAGMENT).map(({ span, start, end }) => ({
    ...{ text: text.slice(start, end), start, end },
    check(nuggets) {
      if (!isCovered(span.words, span.from, span.to, isTextCovered)) return null;
      try {
        const checked = check(span, nuggets);
        const isStated = isStatedAsIs(text, words, { span, start, end });
        return checked && { ...checked, isRepetition: checked.isRepetition && isStated };
      } finally {
        forgetScannedTexts();
      }
    },
  }));
}

/** Whether a sentence states its claim: without a frame such as "Nobody says that", and not as a question. */
function isStatedAsIs(text: string, words: Words, { span, start, end }: Claim): boolean {
  if (span.words !== words || words.start[span.from] !== start) return false;
  const [behind = ''] = /^[^\p{L}\p{N}]*/u.exec(text.slice(end)) ?? [];
  return !behind.includes('?') && !behind.includes('؟') && !behind.includes('？');
}

function check(span: WordSpan, nuggets: readonly Nugget[]): ClaimCheck | null {
  if (nuggets.length === 0) return null;
  const lexicon = sharedLexicon();
  const index = createKnowledgeIndex(nuggets, lexicon);
  const nearest = nearestPair(span, index, lexicon);
  if (nearest === undefined) return null;
  const { words, from, to } = index.span(nearest.nugget);
  if (!isCovered(words, from, to)) return null;
  const checked = judgePair(nearest, contradictionModel());
  const { nugget, similarity, contradiction } = checked;
  const type = typeOf(checked);
  const isRepetition = type === 'supported' && repeatsNugget(nearest.pair);
  return { type, nugget, similarity, contradiction, isRepetition };
}
