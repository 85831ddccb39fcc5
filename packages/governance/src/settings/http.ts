import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { retentionMembers, settingsChanges } from './input.ts';
import type { Settings } from './settings.ts';
import type { OrganizationSettings } from './types.ts';

const settingsSchema = z
  .strictObject({
    retention: z.strictObject(retentionMembers).meta({ id: 'Retention' }),
    updatedAt: timestamp.nullable().describe('Null while the organization has the defaults.'),
  })
  .meta({ id: 'GovernanceSettings' });

const shared = { tag: 'Governance', rateLimit: 'general', path: '/governance/settings' } as const;

/** Declares the endpoints of the settings of an organization. */
export function settingsEndpoints(settings: Settings): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'getGovernanceSettings',
      summary: 'Get the settings of governance',
      description: 'Returns how long records of scans and resolved alerts are kept.',
      permission: 'governance_settings:read',
      responses: { 200: { description: 'The settings', schema: dataObject(settingsSchema) } },
      async handler({ context, reply }) {
        return reply(200, { data: toWire(await settings.get(context)) });
      },
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'updateGovernanceSettings',
      summary: 'Change the settings of governance',
      description:
        'Changes the given members and keeps the others. Terms hold from the next daily run of retention on, on every ' +
        'instance, for the records that are stored by then as well.',
      permission: 'governance_settings:write',
      body: settingsChanges,
      responses: { 200: { description: 'The settings', schema: dataObject(settingsSchema) } },
      async handler({ context, body, reply }) {
        return reply(200, { data: toWire(await settings.update(context, body)) });
      },
    }),
  ];
}

function toWire({ retention, updatedAt }: OrganizationSettings): z.infer<typeof settingsSchema> {
  return { retention: { ...retention }, updatedAt: updatedAt?.toISOString() ?? null };
}
