import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import { evidenceChanges } from './input.ts';
import { evidenceFilterQuery, toFilter } from './query.ts';
import type { EvidenceRecords } from './records.ts';
import { evidenceSchema, toWire } from './schemas.ts';

const shared = { tag: 'Evidence', rateLimit: 'general' } as const;

/** Declares the endpoints of evidence records (contract, section 6). */
export function evidenceRecordEndpoints(records: EvidenceRecords): Endpoint[] {
  return [listEndpoint(records), ...itemEndpoints(records)];
}

function listEndpoint(records: EvidenceRecords): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/compliance/evidence',
    operationId: 'listEvidence',
    summary: 'List evidence',
    description:
      'Lists the evidence records of the organization, all or those that match every filter. A record supports the ' +
      'obligations that it is linked to; it does not say that they are complied with.',
    permission: 'evidence:read',
    query: pageQuery.extend(evidenceFilterQuery.shape),
    responses: {
      200: { description: 'A page of records, newest first', schema: dataList(evidenceSchema) },
    },
    async handler({ context, query, reply }) {
      const { items, total } = await records.list(context, toFilter(query), query);
      return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
    },
  });
}

function itemEndpoints(records: EvidenceRecords): Endpoint[] {
  const params = z.strictObject({ evidence_id: z.string() });
  const item = { ...shared, path: '/compliance/evidence/{evidence_id}', params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getEvidence',
      summary: 'Get an evidence record',
      description: 'Returns one record with the obligations that it supports.',
      permission: 'evidence:read',
      responses: { 200: { description: 'The record', schema: dataObject(evidenceSchema) } },
      async handler({ context, params: { evidence_id: id }, reply }) {
        return reply(200, { data: toWire(await records.get(context, id)) });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updateEvidence',
      summary: 'Change the AI system or the labels of an evidence record',
      description:
        'Links the record to another AI system or gives it other labels, and appends the change to the chain. What the ' +
        'record says and the obligations that it supports never change.',
      permission: 'evidence:write',
      body: evidenceChanges,
      responses: { 200: { description: 'The record', schema: dataObject(evidenceSchema) } },
      async handler({ context, params: { evidence_id: id }, body, reply }) {
        return reply(200, { data: toWire(await records.update(context, id, body)) });
      },
    }),
  ];
}
