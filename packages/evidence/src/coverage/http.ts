import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, endpoint, oneOf, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import { riskClass } from '../ai-systems/input.ts';
import { FRAMEWORK_SOURCES } from '../obligations/catalogue.ts';
import { obligationSchema } from '../obligations/schemas.ts';
import { stancesOf } from '../obligations/stance.ts';
import { FRAMEWORKS } from '../obligations/types.ts';
import { toOscalCatalog } from '../oscal/catalog.ts';
import { oscalCatalog } from '../oscal/schemas.ts';
import { aiSystemQuery } from '../records/input.ts';
import type { Evidence } from '../records/types.ts';
import { APPLICABILITIES } from './applicability.ts';
import type {
  Coverage,
  CoveredObligation,
  SupportedObligation,
  SystemCoverage,
} from './coverage.ts';

const coveredObligation = obligationSchema
  .pick({
    id: true,
    framework: true,
    reference: true,
    title: true,
    appliesFrom: true,
    evidenceCount: true,
    supportingCount: true,
    adverseCount: true,
    newestEvidence: true,
  })
  .extend({
    applicability: z
      .enum(APPLICABILITIES)
      .describe(
        '`applies_later` before its date; `unclassified` where it depends on a risk class that the AI system does not have.',
      ),
  })
  .meta({ id: 'CoveredObligation' });

const systemCoverage = z
  .strictObject({
    aiSystem: z
      .strictObject({ id: z.uuid(), name: z.string(), riskClass })
      .nullable()
      .describe('Null for the evidence that is about no AI system.'),
    obligations: z.array(coveredObligation),
  })
  .meta({ id: 'SystemCoverage' });

const shared = {
  method: 'GET',
  tag: 'Evidence',
  permission: 'evidence:read',
  rateLimit: 'general',
} as const;

const framework = oneOf(FRAMEWORKS).optional();

/** Declares the endpoints of obligations and coverage (contract, section 6). */
export function coverageEndpoints(coverage: Coverage): Endpoint[] {
  return [
    endpoint({
      ...shared,
      path: '/compliance/obligations',
      operationId: 'listObligations',
      summary: 'List obligations',
      description:
        'Lists the obligations, controls and criteria that evidence can support, with the numbers of supporting and of adverse ' +
        'records and the newest one. Failures are adverse. Evidence supports an obligation; whether it is complied with is for people to judge.',
      query: pageQuery.extend({ framework }),
      responses: {
        200: { description: 'A page of obligations', schema: dataList(obligationSchema) },
      },
      async handler({ context, query, reply }) {
        const found = await coverage.listObligations(context, query.framework, query);
        return reply(200, {
          data: found.items.map(toObligation),
          ...toPageInfo(query, found.total),
        });
      },
    }),
    endpoint({
      ...shared,
      path: '/compliance/catalog',
      operationId: 'getObligationCatalog',
      summary: 'Get the obligations as an OSCAL catalog',
      description:
        'The catalogue of obligations as a catalog of OSCAL 1.2.2, all frameworks or one. The export of evidence with ' +
        '`format=oscal` refers to its controls.',
      query: z.strictObject({ framework }),
      responses: { 200: { description: 'The catalog', schema: oscalCatalog } },
      async handler({ query, reply }) {
        return reply(200, toOscalCatalog(query.framework));
      },
    }),
    endpoint({
      ...shared,
      path: '/compliance/coverage',
      operationId: 'getCoverage',
      summary: 'List obligations and their evidence by AI system',
      description:
        'The matrix of AI systems and obligations with the newest evidence and the numbers of supporting and of adverse records, ' +
        'in pages of AI systems. Obligations that are ' +
        'not about the risk class of a system are left out. The evidence about no AI system is the last row.',
      query: pageQuery.extend({ framework, aiSystemId: aiSystemQuery.optional() }),
      responses: {
        200: { description: 'A page of AI systems', schema: dataList(systemCoverage) },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await coverage.list(context, query, query);
        return reply(200, { data: items.map(toRow), ...toPageInfo(query, total) });
      },
    }),
  ];
}

function toObligation(supported: SupportedObligation): z.infer<typeof obligationSchema> {
  const { obligation } = supported;
  return {
    id: obligation.id,
    framework: obligation.framework,
    source: FRAMEWORK_SOURCES[obligation.framework],
    reference: obligation.reference,
    title: obligation.title,
    keywords: [...obligation.keywords],
    appliesFrom: obligation.appliesFrom,
    transitions: obligation.transitions.map((transition) => ({ ...transition })),
    role: [...obligation.role],
    riskClasses: obligation.riskClasses && [...obligation.riskClasses],
    amendedBy: obligation.amendedBy,
    status: obligation.status && { ...obligation.status },
    checked: obligation.checked,
    ...toSupport(supported),
  };
}

function toRow({ aiSystem, obligations }: SystemCoverage): z.infer<typeof systemCoverage> {
  return {
    aiSystem: aiSystem && {
      ...{ id: aiSystem.id, name: aiSystem.name, riskClass: aiSystem.riskClass },
    },
    obligations: obligations.map(toCovered),
  };
}

function toCovered(covered: CoveredObligation): z.infer<typeof coveredObligation> {
  const { obligation, applicability } = covered;
  const { id, framework: name, reference, title, appliesFrom } = obligation;
  const facts = { id, framework: name, reference, title, appliesFrom, applicability };
  return { ...facts, ...toSupport(covered) };
}

function toSupport({ obligation, newestEvidence, ...counts }: SupportedObligation) {
  const { evidenceCount, supportingCount, adverseCount } = counts;
  return {
    ...{ evidenceCount, supportingCount, adverseCount },
    newestEvidence: newestEvidence && toReference(newestEvidence, obligation.id),
  };
}

function toReference(record: Evidence, obligationId: string) {
  const { id, title, createdAt } = record;
  const stance = stancesOf(record).get(obligationId) ?? 'supporting';
  return { id, title, createdAt: createdAt.toISOString(), stance };
}
