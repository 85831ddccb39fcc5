import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { InstanceUsage } from '../instance-usage.ts';
import type { Instances } from '../instances.ts';
import { INSTANCE_KINDS } from '../types.ts';
import { instanceNames, VISIBLE } from './instance-names.ts';
import { instanceUsageEndpoint, usageWithdrawalEndpoint } from './instance-usage.ts';

const heartbeat = z
  .strictObject({
    ...instanceNames,
    version: z
      .string()
      .max(100, 'must have at most 100 characters')
      .regex(VISIBLE, 'must be visible ASCII characters without spaces'),
  })
  .meta({ id: 'Heartbeat' });

const instance = z
  .strictObject({
    kind: z.enum(INSTANCE_KINDS),
    instance_id: z.string(),
    version: z.string(),
    first_seen: timestamp,
    last_seen: timestamp,
  })
  .meta({ id: 'Instance' });

/** The endpoints that gateways and agents report to, relative to `/api/v1`. */
export function instanceEndpoints(instances: Instances, instanceUsage: InstanceUsage): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/instances/heartbeat',
      operationId: 'reportInstance',
      summary: 'Report a heartbeat of a gateway or agent',
      description:
        'Send one per minute; an instance counts toward the quota for five minutes after each.',
      tag: 'Instances',
      permission: 'instances:write',
      rateLimit: 'general',
      body: heartbeat,
      errors: ['conflict'],
      responses: { 200: { description: 'The registered instance', schema: dataObject(instance) } },
      async handler({ context, body, reply }) {
        const { kind, instance_id: instanceId, version } = body;
        const known = await instances.report(context, { kind, instanceId, version });
        const data = {
          kind,
          instance_id: known.instanceId,
          version: known.version,
          first_seen: known.firstSeen.toISOString(),
          last_seen: known.lastSeen.toISOString(),
        };
        return reply(200, { data });
      },
    }),
    instanceUsageEndpoint(instanceUsage),
    usageWithdrawalEndpoint(instanceUsage),
  ];
}
