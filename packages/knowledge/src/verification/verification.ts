import type { CallContext } from '@probity/core';
import { validationError } from '@probity/core';
import { readTextClaims } from '@probity/pipeline/claims';
import type { KnowledgeSearch, NearNugget } from '../vectors/knowledge-search.ts';
import type { ClaimStatus, Verification, VerifiedClaim } from './types.ts';

/** Longest text in UTF-16 code units. */
const MAX_CONTENT = 20_000;
/** Largest number of claims of a text. */
const MAX_CLAIMS = 200;
/** Nuggets that a claim is held against. */
const CANDIDATES = 16;
/** From here on a claim and a nugget are about the same; the truth stage's default. */
const SIMILAR_FROM = 0.7;
/** Nuggets that are shown of a claim of which nothing is known. */
const SHOWN = 3;

/** Verifies texts against the knowledge base of the caller's organization. */
export interface TextVerification {
  /**
   * Cuts a text into claims, and holds each against the nuggets that are nearest to it, as the stage `truth` of the
   * pipeline does. Nothing is stored.
   * @throws ProbityError `validation_failed` for a text that is empty, longer than 20,000 characters or of more than
   *   200 claims
   */
  verify(context: CallContext, content: string, signal?: AbortSignal): Promise<Verification>;
}

/** Creates the service on a search. */
export function createTextVerification(search: KnowledgeSearch): TextVerification {
  return {
    async verify({ principal }, content, signal) {
      if (content.trim() === '' || content.length > MAX_CONTENT) {
        throw refused(`must have 1 to ${MAX_CONTENT.toLocaleString('en-US')} characters`);
      }
      const read = readTextClaims(content);
      if (read.length > MAX_CLAIMS) throw refused(`must have at most ${MAX_CLAIMS} claims`);
      const texts = read.map(({ text }) => text);
      const near = await search.nearest(principal.organizationId, texts, {
        count: CANDIDATES,
        signal,
      });
      const claims: VerifiedClaim[] = [];
      for (const [at, { text, start, end, check }] of read.entries()) {
        const candidates = near[at] ?? [];
        const checked = check(candidates.map(({ nugget: { id, claim } }) => ({ id, claim })));
        claims.push({ text, start, end, ...judge(checked, candidates) });
        await new Promise(setImmediate);
      }
      return { verdict: verdictOf(claims), claims };
    },
  };
}

type Check = ReturnType<ReturnType<typeof readTextClaims>[number]['check']>;

function judge(
  checked: Check,
  candidates: readonly NearNugget[],
): Pick<VerifiedClaim, 'status' | 'similarity' | 'isRepetition' | 'nuggets'> {
  const found = checked && candidates[checked.nugget];
  if (!checked || !found || checked.similarity < SIMILAR_FROM) {
    const nuggets = candidates
      .slice(0, SHOWN)
      // The cosine, which rounding may have made larger than 1.
      .map(({ nugget, similarity: cosine }) => ({
        nugget,
        similarity: Math.min(1, Math.max(0, cosine)),
      }));
    const similarity = checked?.similarity ?? 0;
    return { status: 'unknown', similarity, isRepetition: false, nuggets };
  }
  const { type, similarity, isRepetition } = checked;
  const status: ClaimStatus = type === 'unclear' ? 'unknown' : type;
  return { status, similarity, isRepetition, nuggets: [{ nugget: found.nugget, similarity }] };
}

function verdictOf(claims: readonly VerifiedClaim[]): Verification['verdict'] {
  if (claims.some(({ status }) => status === 'contradicted')) return 'contradicted';
  const isVerified = claims.length > 0 && claims.every(({ status }) => status === 'supported');
  return isVerified ? 'verified' : 'unverified';
}

function refused(message: string) {
  return validationError({ field: 'content', message });
}
