export { createSentenceEmbedder } from './language/sentence-embedder.ts';
export type { Nugget } from './truth/knowledge-index.ts';
export type { TruthType } from './truth/scored-claim.ts';
export type { ClaimCheck, TextClaim } from './truth/text-claims.ts';
export { readTextClaims } from './truth/text-claims.ts';
