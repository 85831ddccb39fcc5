import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, instant, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { DryRun, DryRuns } from './dry-run.ts';
import { dryRunMembers, newPolicy, policyChanges, policyMembers } from './input.ts';
import type { Policies } from './policies.ts';
import type { OrganizationPolicy, PolicyContent, PolicyVersion } from './types.ts';

const policySchema = z
  .strictObject({
    id: z.string(),
    version: z.int().positive(),
    ...policyMembers,
    createdAt: timestamp
      .nullable()
      .describe('Null for a policy that the organization started with and has not changed.'),
    updatedAt: timestamp.nullable().describe('Null where `createdAt` is.'),
  })
  .meta({ id: 'Policy' });

const versionSchema = z
  .strictObject({
    policyId: z.string(),
    version: z.int().positive(),
    ...policyMembers,
    memberId: z
      .string()
      .nullable()
      .describe(
        'The member who made the version; null for one that the organization started with.',
      ),
    createdAt: timestamp,
  })
  .meta({ id: 'PolicyVersion' });

const shared = { tag: 'Policies', rateLimit: 'general' } as const;
const PATH = '/governance/policies';

/** Declares the endpoints of policies (contract, section 7). */
export function policyEndpoints(policies: Policies, dryRuns: DryRuns): Endpoint[] {
  return [
    ...collectionEndpoints(policies),
    ...itemEndpoints(policies),
    versionsEndpoint(policies),
    dryRunEndpoint(dryRuns),
  ];
}

function collectionEndpoints(policies: Policies): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: PATH,
      operationId: 'createPolicy',
      summary: 'Create a policy',
      description:
        'Creates a policy in version 1. It holds for every scan that begins after the response, on every instance. ' +
        'An organization can have 100 policies of its own; the next one is refused with 409.',
      permission: 'policies:write',
      body: newPolicy,
      responses: { 201: { description: 'The policy', schema: dataObject(policySchema) } },
      errors: ['conflict'],
      async handler({ context, body, reply }) {
        return reply(201, { data: toWire(await policies.create(context, body)) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: PATH,
      operationId: 'listPolicies',
      summary: 'List policies',
      description:
        'Lists the policies of the organization: those that it started with, then its own, oldest first.',
      permission: 'policies:read',
      query: pageQuery,
      responses: { 200: { description: 'A page of policies', schema: dataList(policySchema) } },
      async handler({ context, query, reply }) {
        const { items, total } = await policies.list(context, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
  ];
}

const params = z.strictObject({ policy_id: z.string() });

function itemEndpoints(policies: Policies): Endpoint[] {
  const item = { ...shared, path: `${PATH}/{policy_id}`, params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getPolicy',
      summary: 'Get a policy',
      description: 'Returns one policy of the organization, in its present version.',
      permission: 'policies:read',
      responses: { 200: { description: 'The policy', schema: dataObject(policySchema) } },
      async handler({ context, params: { policy_id: id }, reply }) {
        return reply(200, { data: toWire(await policies.get(context, id)) });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updatePolicy',
      summary: 'Update, enable or disable a policy',
      description:
        'Changes the given members and keeps the others, as a new version of the policy. It holds for every scan ' +
        'that begins after the response, on every instance.',
      permission: 'policies:write',
      body: policyChanges,
      responses: { 200: { description: 'The updated policy', schema: dataObject(policySchema) } },
      async handler({ context, params: { policy_id: id }, body, reply }) {
        return reply(200, { data: toWire(await policies.update(context, id, body)) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deletePolicy',
      summary: 'Delete a policy',
      description:
        'Deletes a policy and keeps its versions, which scans name. A policy that every organization starts with ' +
        'cannot be deleted (409); disable it instead.',
      permission: 'policies:write',
      responses: { 204: { description: 'The policy is deleted' } },
      errors: ['conflict'],
      async handler({ context, params: { policy_id: id }, reply }) {
        await policies.remove(context, id);
        return reply(204);
      },
    }),
  ];
}

function versionsEndpoint(policies: Policies): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: `${PATH}/{policy_id}/versions`,
    operationId: 'listPolicyVersions',
    summary: 'List the versions of a policy',
    description:
      'Lists the versions of a policy, which never change, newest first; also those of a deleted policy. A policy that ' +
      'the organization started with has its first version from its first scan on.',
    permission: 'policies:read',
    params,
    query: pageQuery,
    responses: { 200: { description: 'A page of versions', schema: dataList(versionSchema) } },
    async handler({ context, params: { policy_id: id }, query, reply }) {
      const { items, total } = await policies.versions(context, id, query);
      return reply(200, { data: items.map(toVersionWire), ...toPageInfo(query, total) });
    },
  });
}

const dryRunBody = z
  .strictObject({
    ...dryRunMembers,
    since: instant
      .optional()
      .describe(
        'The scans made at this time or later, at most the newest 100,000; not together with `last`.',
      ),
  })
  .meta({ id: 'DryRunRequest' });

const verdict = z.enum(['allowed', 'flagged', 'blocked']);
const verdictCounts = z
  .strictObject({
    allowed: z.int().nonnegative(),
    flagged: z.int().nonnegative(),
    blocked: z.int().nonnegative(),
  })
  .meta({ id: 'VerdictCounts' });

const dryRunSchema = z
  .strictObject({
    scans: z.int().nonnegative().describe('Number of scans that were judged.'),
    isComplete: z
      .boolean()
      .describe('False where there are more than 100,000 scans since `since`.'),
    before: verdictCounts.describe('Verdicts by the present policies.'),
    after: verdictCounts.describe('Verdicts with the rules in force.'),
    changed: z.int().nonnegative().describe('Number of scans whose verdict would be another one.'),
    changes: z
      .array(
        z
          .strictObject({
            scanId: z.string(),
            createdAt: timestamp,
            before: verdict,
            after: verdict,
            reason: z.string().nullable().describe('Why it would be blocked.'),
          })
          .meta({ id: 'ChangedScan' }),
      )
      .describe('The newest scans whose verdict would be another one, at most 50.'),
  })
  .meta({ id: 'DryRun' });

function dryRunEndpoint(dryRuns: DryRuns): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: `${PATH}/dry-run`,
    operationId: 'dryRunPolicy',
    summary: 'Try rules on stored scans',
    description:
      'Judges stored scans by the present policies, and by the same with the rules enabled and enforced, from the scores ' +
      'and findings that are stored. Changes nothing.',
    permission: 'policies:read',
    body: dryRunBody,
    responses: {
      200: { description: 'What the rules would do', schema: dataObject(dryRunSchema) },
    },
    errors: ['not_found'],
    async handler({ context, body, reply }) {
      return reply(200, { data: toDryRunWire(await dryRuns.dryRun(context, body)) });
    },
  });
}

function toDryRunWire({ changes, ...counts }: DryRun): z.infer<typeof dryRunSchema> {
  return {
    ...counts,
    changes: changes.map(({ createdAt, ...change }) => ({
      ...change,
      createdAt: createdAt.toISOString(),
    })),
  };
}

function contentToWire(content: PolicyContent) {
  return {
    name: content.name,
    description: content.description,
    enabled: content.enabled,
    mode: content.mode,
    default: content.isDefault,
    keyIds: content.keyIds && [...content.keyIds],
    rules: content.rules.map(({ types, ...rule }) => ({
      ...rule,
      ...(types && { types: [...types] }),
    })),
  };
}

function toWire(policy: OrganizationPolicy): z.infer<typeof policySchema> {
  return {
    id: policy.id,
    version: policy.version,
    ...contentToWire(policy),
    createdAt: policy.createdAt?.toISOString() ?? null,
    updatedAt: policy.updatedAt?.toISOString() ?? null,
  };
}

function toVersionWire(version: PolicyVersion): z.infer<typeof versionSchema> {
  return {
    policyId: version.policyId,
    version: version.version,
    ...contentToWire(version),
    memberId: version.memberId,
    createdAt: version.createdAt.toISOString(),
  };
}
