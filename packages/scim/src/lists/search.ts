import type { CallContext } from '@probity/core';
import type { Resources } from '../resources/resources.ts';
import type { ResourceTypeDefinition } from '../schemas/types.ts';
import type { ListRequest } from './request.ts';
import type { SentPage } from './response.ts';

/** A resource type and the operations on it. */
export interface SearchedType {
  readonly resourceType: ResourceTypeDefinition;
  readonly resources: Resources;
}

/** Lists the resources of all types, one type after the other (RFC 7644, section 3.4.3). */
export async function searchAll(
  types: readonly SearchedType[],
  context: CallContext,
  request: ListRequest,
): Promise<SentPage> {
  let offset = 'offset' in request.start ? request.start.offset : 0;
  let count = request.count;
  let total = 0;
  const found: SentPage['resources'][number][] = [];
  for (const { resources } of types) {
    const page = await resources.list(context, { ...request, start: { offset }, count });
    found.push(...page.resources);
    offset = Math.max(offset - page.total, 0);
    count -= page.resources.length;
    total += page.total;
  }
  return { resources: found, total, last: null };
}
