export type { AiSystemReads, AiSystemWrites } from './ai-systems/storage.ts';
export type { AiSystem, AiSystemChanges, NewAiSystem, RiskClass } from './ai-systems/types.ts';
export { RISK_CLASSES } from './ai-systems/types.ts';
export type { ChainReads, ChainWrites, EvidenceExtent, StoredNode } from './chain/storage.ts';
export type { EvidenceHead, EvidenceNode } from './chain/types.ts';
export { createMemoryEvidenceStorage } from './memory.ts';
export { CATALOGUE_VERSION, findObligation, OBLIGATIONS } from './obligations/catalogue.ts';
export { matchObligations } from './obligations/match.ts';
export type {
  DraftStatus,
  Framework,
  Obligation,
  ObligationRole,
  Signal,
  Transition,
} from './obligations/types.ts';
export { FRAMEWORKS, SIGNALS } from './obligations/types.ts';
export type { EvidenceAppender } from './records/append.ts';
export { createEvidenceAppender } from './records/append.ts';
export type { EvidenceReads, EvidenceWrites } from './records/storage.ts';
export type {
  Evidence,
  EvidenceChanges,
  EvidenceFilter,
  EvidenceGroup,
  EvidenceMetadata,
  NewEvidence,
} from './records/types.ts';
export type { EvidenceStorage, EvidenceTransaction } from './storage.ts';
