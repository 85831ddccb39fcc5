import type { KnowledgeImports } from './imports/imports.ts';
import type { Nuggets } from './nuggets/nuggets.ts';
import type { TextVerification } from './verification/verification.ts';

/** The services of the knowledge base. */
export interface KnowledgeServices {
  readonly nuggets: Nuggets;
  readonly imports: KnowledgeImports;
  readonly verification: TextVerification;
}
