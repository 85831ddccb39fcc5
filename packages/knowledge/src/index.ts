export type { CorrectionOptions, Corrections } from './corrections/corrections.ts';
export { createCorrections } from './corrections/corrections.ts';
export type { CorrectionReads, CorrectionWrites } from './corrections/storage.ts';
export type { Correction, CorrectionFilter, NewCorrection } from './corrections/types.ts';
export type { KnowledgeSettings } from './definition.ts';
export { knowledge } from './definition.ts';
export type { EmbedderSettings, NamedEmbedder } from './embedders/embedders.ts';
export { builtInEmbedder, createEmbedder } from './embedders/embedders.ts';
export type { KnowledgeImportOptions, KnowledgeImports } from './imports/imports.ts';
export { createKnowledgeImports } from './imports/imports.ts';
export type { ImportReads, ImportWrites } from './imports/record-storage.ts';
export type {
  ImportFormat,
  ImportOptions,
  ImportRecord,
  ImportStatus,
  KnowledgeImport,
  RefusedRow,
} from './imports/types.ts';
export { createMemoryKnowledgeStorage } from './memory.ts';
export { parseConfidence } from './nuggets/confidence.ts';
export type { NuggetOptions, Nuggets } from './nuggets/nuggets.ts';
export { createNuggets, DEFAULT_MAX_NUGGETS } from './nuggets/nuggets.ts';
export type { NuggetReads, NuggetWrites } from './nuggets/storage.ts';
export type {
  KnowledgeExtent,
  NewNugget,
  Nugget,
  NuggetChangeSet,
  NuggetChanges,
  NuggetFilter,
  RemovedNugget,
} from './nuggets/types.ts';
export type { KnowledgeServices } from './services.ts';
export type { KnowledgeStorage, KnowledgeTransaction } from './storage.ts';
export type {
  IndexState,
  KnowledgeIndex,
  KnowledgeIndexOptions,
} from './vectors/knowledge-index.ts';
export { createKnowledgeIndex } from './vectors/knowledge-index.ts';
export type {
  FoundNuggets,
  KnowledgeSearch,
  KnowledgeSearchOptions,
  NearNugget,
  NuggetFinder,
} from './vectors/knowledge-search.ts';
export { createKnowledgeSearch } from './vectors/knowledge-search.ts';
export { createMemoryVectorStore } from './vectors/memory.ts';
export type {
  VectorChanges,
  VectorEntry,
  VectorFilter,
  VectorMatch,
  VectorStore,
} from './vectors/types.ts';
export type { ClaimStatus, Verification, VerifiedClaim } from './verification/types.ts';
export type { TextVerification } from './verification/verification.ts';
export { createTextVerification } from './verification/verification.ts';
