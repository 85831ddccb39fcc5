import type { AuditEntry } from '@probity/core';
import { toPageInfo } from '@probity/core';
import type { AuditLog } from '@probity/core/internal';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, instant, pageInfo, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { organizationParams } from './params.ts';

const fields = z.record(z.string(), z.unknown()).nullable();

const auditEntry = z
  .strictObject({
    id: z.string(),
    sequence: z.int().nonnegative(),
    action: z.string(),
    actor: z.strictObject({
      type: z.enum(['member', 'system']),
      id: z.string(),
      credential_id: z.string().nullable(),
    }),
    target: z.strictObject({ type: z.string(), id: z.string() }),
    before: fields,
    after: fields,
    address: z.string().nullable(),
    request_id: z.string().nullable(),
    previous_hash: z.string(),
    hash: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'AuditEntry' });

const filter = z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters');

const auditQuery = pageQuery.extend({
  actor: filter.optional(),
  action: filter.optional(),
  since: instant
    .optional()
    .describe('Earliest time of the entries, inclusive; ISO 8601 with an offset.'),
  until: instant
    .optional()
    .describe('Latest time of the entries, exclusive; ISO 8601 with an offset.'),
});

/** The endpoint for the audit log. */
export function auditLogEndpoints(auditLog: AuditLog): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/organizations/{org_id}/audit-log',
      operationId: 'listAuditLog',
      summary: 'List the audit log of the organization, newest first',
      description:
        'Lists the changes of state in the organization, all or those that match the filters. Each entry holds the hash of the one before, which makes changes of the log evident.',
      tag: 'Audit log',
      permission: 'audit_log:read',
      rateLimit: 'platform',
      params: organizationParams,
      query: auditQuery,
      responses: {
        200: {
          description: 'A page of audit log entries',
          schema: z.strictObject({ audit_log: z.array(auditEntry), ...pageInfo }),
        },
      },
      async handler({ context, query, reply }) {
        const { limit, offset, ...wanted } = query;
        const page = { limit, offset };
        const { items, total } = await auditLog.list(context, wanted, page);
        return reply(200, { audit_log: items.map(toWire), ...toPageInfo(page, total) });
      },
    }),
  ];
}

function toWire(entry: AuditEntry): z.infer<typeof auditEntry> {
  const { actor } = entry;
  return {
    id: entry.id,
    sequence: entry.sequence,
    action: entry.action,
    actor: { type: actor.type, id: actor.id, credential_id: actor.credentialId },
    target: entry.target,
    before: entry.before,
    after: entry.after,
    address: entry.address,
    request_id: entry.requestId,
    previous_hash: entry.previousHash,
    hash: entry.hash,
    created_at: entry.createdAt.toISOString(),
  };
}
