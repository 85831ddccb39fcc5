import type { Page, PageOf } from '@probity/core';
import type { AiSystem, AiSystemChanges } from './types.ts';

/** Reads of AI systems. */
export interface AiSystemReads {
  /** The organization's AI systems, oldest first, ties by id. */
  listAiSystems(organizationId: string, page: Page): Promise<PageOf<AiSystem>>;
  /** Null when the organization has no such AI system. */
  findAiSystem(organizationId: string, id: string): Promise<AiSystem | null>;
}

/** Writes of AI systems. */
export interface AiSystemWrites {
  insertAiSystem(aiSystem: AiSystem): Promise<void>;
  /** Returns the updated AI system; null when the organization has no such AI system. */
  updateAiSystem(
    organizationId: string,
    id: string,
    changes: AiSystemChanges & { readonly updatedAt: Date },
  ): Promise<AiSystem | null>;
  /** No record may refer to it. Returns false when the organization has no such AI system. */
  deleteAiSystem(organizationId: string, id: string): Promise<boolean>;
}
