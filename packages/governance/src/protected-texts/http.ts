import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { newProtectedText, protectedTextChanges, protectedTextMembers } from './input.ts';
import type { ProtectedTextService } from './protected-texts.ts';
import type { ProtectedText } from './types.ts';

const { kind, text } = protectedTextMembers;

const listed = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    kind,
    length: z.int().positive().describe('Of the text in UTF-16 code units.'),
    hash: z.string().length(64).describe('SHA-256 of the text in lower-case hex.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ProtectedText' });

const read = listed.extend({ text }).meta({ id: 'ReadProtectedText' });

const shared = { tag: 'Policies', rateLimit: 'general' } as const;
const PATH = '/governance/protected-texts';

/** Declares the endpoints of protected texts. */
export function protectedTextEndpoints(texts: ProtectedTextService): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: PATH,
      operationId: 'createProtectedText',
      summary: 'Create a protected text',
      description:
        'Adds a text that responses must not repeat, or a token that they must never have. It holds for every scan that begins ' +
        'after the response, on every instance, where the stage `contamination_check` is on. The text is stored ' +
        'encrypted. An organization can have 200 of them with 1,000,000 characters in all; more are refused with 409.',
      permission: 'protected_texts:write',
      body: newProtectedText,
      responses: { 201: { description: 'The protected text', schema: dataObject(listed) } },
      errors: ['conflict'],
      async handler({ context, body, reply }) {
        return reply(201, { data: toWire(await texts.create(context, body)) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: PATH,
      operationId: 'listProtectedTexts',
      summary: 'List protected texts',
      description:
        'Lists the protected texts of the organization without their texts, oldest first.',
      permission: 'protected_texts:read',
      query: pageQuery,
      responses: { 200: { description: 'A page of protected texts', schema: dataList(listed) } },
      async handler({ context, query, reply }) {
        const { items, total } = await texts.list(context, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
    ...itemEndpoints(texts),
  ];
}

function itemEndpoints(texts: ProtectedTextService): Endpoint[] {
  const params = z.strictObject({ protected_text_id: z.string() });
  const item = { ...shared, path: `${PATH}/{protected_text_id}`, params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getProtectedText',
      summary: 'Get a protected text',
      description: 'Returns one protected text with its text.',
      permission: 'protected_texts:read',
      responses: { 200: { description: 'The protected text', schema: dataObject(read) } },
      async handler({ context, params: { protected_text_id: id }, reply }) {
        const found = await texts.get(context, id);
        return reply(200, { data: { ...toWire(found), text: found.text } });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updateProtectedText',
      summary: 'Update a protected text',
      description:
        'Changes the name or the text. It holds for every scan that begins after the response, on every instance.',
      permission: 'protected_texts:write',
      body: protectedTextChanges,
      responses: { 200: { description: 'The updated protected text', schema: dataObject(listed) } },
      errors: ['conflict'],
      async handler({ context, params: { protected_text_id: id }, body, reply }) {
        return reply(200, { data: toWire(await texts.update(context, id, body)) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deleteProtectedText',
      summary: 'Delete a protected text',
      description:
        'Deletes a protected text; scans that begin after the response do not look for it.',
      permission: 'protected_texts:write',
      responses: { 204: { description: 'The protected text is deleted' } },
      async handler({ context, params: { protected_text_id: id }, reply }) {
        await texts.remove(context, id);
        return reply(204);
      },
    }),
  ];
}

function toWire(found: ProtectedText): z.infer<typeof listed> {
  const { id, name, length, hash, createdAt, updatedAt } = found;
  return {
    ...{ id, name, kind: found.kind, length, hash },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
