import type { Corrections } from './corrections/corrections.ts';
import type { KnowledgeImports } from './imports/imports.ts';
import type { Nuggets } from './nuggets/nuggets.ts';

/** The services of the knowledge base. */
export interface KnowledgeServices {
  readonly nuggets: Nuggets;
  readonly imports: KnowledgeImports;
  readonly corrections: Corrections;
}
