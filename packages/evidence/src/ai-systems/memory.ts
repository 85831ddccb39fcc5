import type { MemorySession } from '@probity/core';
import { byCreation, defineMemoryTable, owned, pageOf } from '@probity/core/internal';
import type { AiSystemReads, AiSystemWrites } from './storage.ts';
import type { AiSystem } from './types.ts';

const AI_SYSTEMS = defineMemoryTable<AiSystem>('ai_systems', 'organizationId');

/** Reads and writes AI systems in memory. */
export function createAiSystemOperations(session: MemorySession): AiSystemReads & AiSystemWrites {
  const aiSystems = () => session.table(AI_SYSTEMS);
  return {
    async listAiSystems(organizationId, page) {
      const own = aiSystems().filter((row) => row.organizationId === organizationId);
      return pageOf(own, page, byCreation);
    },
    async findAiSystem(organizationId, id) {
      return owned(aiSystems(), organizationId, id);
    },
    async insertAiSystem(aiSystem) {
      aiSystems().put(aiSystem.id, aiSystem);
    },
    async updateAiSystem(organizationId, id, changes) {
      const row = owned(aiSystems(), organizationId, id);
      if (!row) return null;
      const { name, description, riskClass, owner, updatedAt } = changes;
      const updated: AiSystem = {
        ...row,
        updatedAt,
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(riskClass === undefined ? {} : { riskClass }),
        ...(owner === undefined ? {} : { owner }),
      };
      aiSystems().put(id, updated);
      return updated;
    },
    async deleteAiSystem(organizationId, id) {
      return owned(aiSystems(), organizationId, id) !== null && aiSystems().delete(id);
    },
  };
}
