import { OUTSIDE_REQUEST, systemClock, systemRandom } from '@probity/core';
import { createUuid } from '@probity/core/internal';
import type { AiSystem } from './ai-systems/types.ts';
import { createEvidenceAppender } from './records/append.ts';
import type { Evidence, NewEvidence } from './records/types.ts';
import type { EvidenceStorage } from './storage.ts';

/** Creation time of the fixtures. */
export const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');
/** A day after {@link CREATED_AT}. */
export const LATER = new Date('2026-01-02T00:00:00.000Z');

const environment = { clock: systemClock, random: systemRandom };
const unsealed = createEvidenceAppender({ ...environment, secretBox: undefined });

/** A new id. */
export function newUuid(): string {
  return createUuid(environment);
}

/** An AI system without a class; `facts` override members. */
export function newAiSystem(organizationId: string, facts: Partial<AiSystem> = {}): AiSystem {
  return {
    id: newUuid(),
    organizationId,
    name: 'Support assistant',
    description: null,
    riskClass: null,
    owner: null,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    ...facts,
  };
}

/** Stores an AI system. */
export async function insertAiSystem(
  storage: EvidenceStorage,
  organizationId: string,
  facts?: Partial<AiSystem>,
): Promise<AiSystem> {
  const aiSystem = newAiSystem(organizationId, facts);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertAiSystem(aiSystem));
  return aiSystem;
}

/** A record of a failed test about no AI system; `facts` override members. */
export function newEvidence(organizationId: string, facts: Partial<NewEvidence> = {}): NewEvidence {
  const id = newUuid();
  return {
    id,
    organizationId,
    evidenceType: 'evaltool_eval',
    source: 'evaltool',
    title: 'Failed test of a provider',
    content: 'One test of the provider failed.',
    metadata: { source: 'evaltool', score: 0.25, nested: { list: [1, 'zwei', null, true] } },
    aiSystemId: null,
    labels: {},
    obligationIds: ['euaia-art-15-4', 'iso42001-a-6-2-4'],
    idempotencyKey: id,
    occurredAt: CREATED_AT,
    createdAt: CREATED_AT,
    ...facts,
  };
}

/** Appends records to the chain, without a seal; each of `facts` overrides members of one. */
export function appendEvidence(
  storage: EvidenceStorage,
  organizationId: string,
  ...facts: ReadonlyArray<Partial<NewEvidence>>
): Promise<Evidence[]> {
  const records = facts.map((each) => newEvidence(organizationId, each));
  return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, (tx) =>
    unsealed.append(tx, organizationId, records),
  );
}
