import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, endpoint, instant, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { aiSystemQuery } from '../records/input.ts';
import type { EvidenceTrend } from './trend.ts';

const count = z.int().nonnegative();

const counts = {
  successes: count,
  failures: count,
  errors: count.describe('Tests that did not run.'),
  passRate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'Successes by all tests, those that did not run included; null where there was none.',
    ),
};

const providerLabel = z
  .string()
  .nullable()
  .describe('Another label of the same provider is another system; null where it has none.');

const evaluationRun = z
  .strictObject({
    evidenceId: z.uuid().describe('The record that sums up the run.'),
    provider: z.string(),
    providerLabel,
    aiSystemId: z.uuid().nullable(),
    evaluatedAt: timestamp.describe('Where the file names no time, that of the import.'),
    ...counts,
  })
  .meta({ id: 'EvaluationRun' });

const providerTrend = z
  .strictObject({
    provider: z.string(),
    providerLabel,
    runs: z.int().positive(),
    ...counts,
    oldestAt: timestamp,
    newestAt: timestamp,
  })
  .meta({ id: 'ProviderTrend' });

const filters = pageQuery.extend({
  aiSystemId: aiSystemQuery.optional(),
  provider: z.string().min(1).max(300).optional(),
  since: instant.optional().describe('Runs evaluated at this time or later.'),
  until: instant.optional().describe('Runs evaluated before this time.'),
});

const shared = {
  method: 'GET',
  tag: 'Evidence',
  permission: 'evidence:read',
  rateLimit: 'general',
  query: filters,
} as const;

/** Declares the endpoints of trends (contract, section 6). */
export function trendEndpoints(trend: EvidenceTrend): Endpoint[] {
  return [
    endpoint({
      ...shared,
      path: '/compliance/trend',
      operationId: 'listEvaluationRuns',
      summary: 'List evaluation runs',
      description:
        'Lists the results of each provider in each imported evaluation, newest first, from which a trend is drawn.',
      responses: { 200: { description: 'A page of runs', schema: dataList(evaluationRun) } },
      async handler({ context, query, reply }) {
        const { items, total } = await trend.runs(context, query, query);
        const data = items.map(({ sequence: _, ...run }) => ({
          ...{ evidenceId: run.evidenceId, provider: run.provider },
          ...{ providerLabel: run.providerLabel, aiSystemId: run.aiSystemId },
          evaluatedAt: run.evaluatedAt.toISOString(),
          ...toCounts(run),
        }));
        return reply(200, { data, ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...shared,
      path: '/compliance/trend/providers',
      operationId: 'listProviderTrends',
      summary: 'List providers with the results of their runs',
      description:
        'Lists the providers of the matching runs, by id and label, with the sums of their results.',
      responses: { 200: { description: 'A page of providers', schema: dataList(providerTrend) } },
      async handler({ context, query, reply }) {
        const { items, total } = await trend.providers(context, query, query);
        const data = items.map((each) => ({
          ...{ provider: each.provider, providerLabel: each.providerLabel },
          ...{ runs: each.runs, ...toCounts(each) },
          oldestAt: each.oldestAt.toISOString(),
          newestAt: each.newestAt.toISOString(),
        }));
        return reply(200, { data, ...toPageInfo(query, total) });
      },
    }),
  ];
}

function toCounts({
  successes,
  failures,
  errors,
}: {
  readonly successes: number;
  readonly failures: number;
  readonly errors: number;
}) {
  const all = successes + failures + errors;
  return { successes, failures, errors, passRate: all === 0 ? null : successes / all };
}
