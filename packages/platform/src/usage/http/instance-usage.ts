import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { InstanceUsage } from '../instance-usage.ts';
import { instanceNames } from './instance-names.ts';

/** Minutes of one report. */
const MAX_MINUTES = 500;

const usage = z
  .strictObject({
    ...instanceNames,
    usage: z
      .array(
        z.strictObject({
          minute: z.iso
            .datetime('must be a time in UTC such as 2026-01-01T00:00:00Z')
            .describe('Start of the minute in UTC.'),
          scans: z
            .int()
            .min(0)
            .max(1_000_000_000)
            .describe('Scans that began in the minute; more than 1,000,000 are refused.'),
        }),
      )
      .min(1, 'must have at least 1 minute')
      .max(MAX_MINUTES, `must have at most ${MAX_MINUTES} minutes`),
  })
  .meta({ id: 'InstanceUsage' });

const receipt = z
  .strictObject({
    accepted: z.int().nonnegative().describe('Minutes that are counted now.'),
    repeated: z.int().nonnegative().describe('Minutes that had been reported before.'),
    expired: z.int().nonnegative().describe('Minutes before the last 90 days: not counted.'),
    gateway_scans: z
      .strictObject({ limit: z.int().nonnegative(), used: z.int().nonnegative() })
      .describe('The quota of the current month; `used` may be above `limit`.'),
  })
  .meta({ id: 'UsageReceipt' });

const time = z.iso.datetime('must be a time in UTC such as 2026-01-01T00:00:00Z');

const withdrawal = z
  .strictObject({
    kind: instanceNames.kind,
    instance_id: instanceNames.instance_id
      .optional()
      .describe('The instance whose reports were wrong; default all instances of the kind.'),
    since: time.describe('The first minute.'),
    until: time.describe('The end, at most 31 days later; this minute is not withdrawn.'),
  })
  .meta({ id: 'UsageWithdrawal' });

const withdrawalReceipt = z
  .strictObject({
    withdrawn: z.int().nonnegative().describe('Minutes that do not count any more.'),
    scans: z.int().nonnegative().describe('Their scans.'),
  })
  .meta({ id: 'UsageWithdrawalReceipt' });

/** The endpoint that withdraws reports of gateways, relative to `/api/v1`. */
export function usageWithdrawalEndpoint(instanceUsage: InstanceUsage): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/instances/usage/withdraw',
    operationId: 'withdrawUsage',
    summary: 'Withdraw reports of a gateway that were wrong',
    description:
      'The scans of the minutes from `since` to `until` do not count any more, and the minutes may be reported again. ' +
      'Recorded in the audit log. A repeated call withdraws nothing.',
    tag: 'Instances',
    permission: 'instance_usage:withdraw',
    rateLimit: 'general',
    allowedOverQuota: true,
    body: withdrawal,
    responses: {
      200: {
        description: 'The withdrawn minutes and their scans',
        schema: dataObject(withdrawalReceipt),
      },
    },
    async handler({ context, body, reply }) {
      const { kind, instance_id: instanceId = null } = body;
      const range = { since: new Date(body.since), until: new Date(body.until) };
      const data = await instanceUsage.withdraw(context, { kind, instanceId, ...range });
      return reply(200, { data });
    },
  });
}

/** The endpoint to which gateways report what they did, relative to `/api/v1`. */
export function instanceUsageEndpoint(instanceUsage: InstanceUsage): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/instances/usage',
    operationId: 'reportUsage',
    summary: 'Report the scans of a gateway',
    description:
      'The scans count against `gateway_scans` of their month, beyond its limit too. Report minutes that have ' +
      'ended, and again until the answer is 200: the first report of a minute by an instance counts, and a ' +
      'later one changes nothing. At most 10 reports of an instance in a minute.',
    tag: 'Instances',
    permission: 'instance_usage:write',
    rateLimit: 'general',
    allowedOverQuota: true,
    body: usage,
    responses: { 200: { description: 'What is counted', schema: dataObject(receipt) } },
    async handler({ context, body, reply }) {
      const { kind, instance_id: instanceId, usage: given } = body;
      const minutes = given.map(({ minute, scans }) => ({ minute: new Date(minute), scans }));
      const { scans, ...counts } = await instanceUsage.report(context, {
        kind,
        instanceId,
        usage: minutes,
      });
      return reply(200, { data: { ...counts, gateway_scans: scans } });
    },
  });
}
