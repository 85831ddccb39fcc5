import type { ExportedNode } from './types.ts';

/** The line of a node, with everything that its hashes cover: the chain can be verified from the lines alone. */
export function toJsonLine({ node, record }: ExportedNode): string {
  const line = {
    sequence: node.sequence,
    previousHash: node.previousHash,
    hash: node.hash,
    id: node.id,
    organizationId: node.organizationId,
    amends: node.amends,
    idempotencyKey: node.idempotencyKey,
    contentHash: node.contentHash,
    linksHash: node.linksHash,
    createdAt: node.createdAt,
    record: record && {
      salt: record.salt,
      evidenceType: record.evidenceType,
      source: record.source,
      title: record.title,
      content: record.content,
      metadata: record.metadata,
      occurredAt: record.occurredAt,
      aiSystemId: record.aiSystemId,
      labels: record.labels,
      obligationIds: record.obligationIds,
    },
  };
  return `${JSON.stringify(line)}\n`;
}
