import type { Corrections } from './corrections/corrections.ts';
import type { KnowledgeImports } from './imports/imports.ts';
import type { Nuggets } from './nuggets/nuggets.ts';
import type { KnowledgeSearch, NuggetFinder } from './vectors/knowledge-search.ts';
import type { TextVerification } from './verification/verification.ts';

/** The services of the knowledge base. */
export interface KnowledgeServices {
  readonly nuggets: Nuggets;
  readonly imports: KnowledgeImports;
  readonly corrections: Corrections;
  /** Finds nuggets by meaning. */
  readonly search: KnowledgeSearch & NuggetFinder;
  /** Holds texts against the knowledge base. */
  readonly verification: TextVerification;
}
