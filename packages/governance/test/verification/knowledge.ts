import type { KnowledgeBase, Verification, VerifiedClaim } from '../../src/index.ts';

/** A knowledge base of tests, whose nuggets can be changed. */
export interface TestKnowledge extends KnowledgeBase {
  /** Versions of the nuggets by their claims; the id of a nugget is `nug_` and its place. */
  readonly nuggets: Map<string, number>;
  /** The contents that were verified. */
  readonly verified: string[];
}

/**
 * Takes each line of a text for a claim: supported when it is the claim of a nugget, contradicted with `NOT ` before one,
 * supported in free wording with `about ` before one, else unknown. Lines in brackets are no claims.
 */
export function createTestKnowledge(...claims: readonly string[]): TestKnowledge {
  const nuggets = new Map(claims.map((claim, at) => [claim, at + 1]));
  const idOf = (claim: string) => `nug_${claims.indexOf(claim)}`;
  const verified: string[] = [];
  const check = (text: string, start: number): VerifiedClaim => {
    const claim = text.replace(/^(?:NOT|about) /, '');
    const sequence = nuggets.get(claim);
    const place = { text, start, end: start + text.length };
    if (sequence === undefined) {
      return { ...place, status: 'unknown', similarity: 0, isRepetition: false, nuggets: [] };
    }
    const nugget = { id: idOf(claim), claim, sourceUrl: 'https://facts.example/', sequence };
    return {
      ...place,
      status: text.startsWith('NOT ') ? 'contradicted' : 'supported',
      similarity: 0.9,
      isRepetition: text === claim,
      nuggets: [{ nugget, similarity: 0.9 }],
    };
  };
  return {
    nuggets,
    verified,
    async verify(_, content): Promise<Verification> {
      verified.push(content);
      const lines = [...content.matchAll(/[^\n]+/g)].filter(([line]) => !line.startsWith('['));
      const found = lines.map(({ 0: line, index }) => check(line, index));
      return { verdict: verdictOf(found), claims: found };
    },
    async versions(_, ids) {
      const present = [...nuggets].map(([claim, version]) => [idOf(claim), version] as const);
      return new Map(present.filter(([id]) => ids.includes(id)));
    },
  };
}

function verdictOf(claims: readonly VerifiedClaim[]): Verification['verdict'] {
  if (claims.some(({ status }) => status === 'contradicted')) return 'contradicted';
  const isVerified = claims.length > 0 && claims.every(({ status }) => status === 'supported');
  return isVerified ? 'verified' : 'unverified';
}
