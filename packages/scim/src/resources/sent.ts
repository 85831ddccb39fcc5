import type { JsonObject, ResourceTypeDefinition } from '../schemas/types.ts';
import { entityTagOf, locationOf } from './body.ts';
import type { ScimGroup, ScimUser } from './types.ts';

/** A resource as it is sent. */
export interface SentResource {
  readonly id: string;
  readonly version: number;
  /** The body, projected. */
  readonly body: JsonObject;
  /** Headers of responses with this resource. */
  readonly headers: { readonly ETag: string; readonly Location: string };
}

/** A resource with its body and headers. */
export function toSent(
  resource: ScimUser | ScimGroup,
  body: JsonObject,
  resourceType: ResourceTypeDefinition,
  baseUrl: string,
): SentResource {
  const { id, version } = resource;
  const Location = locationOf(id, resourceType, baseUrl);
  return { id, version, body, headers: { ETag: entityTagOf(resource), Location } };
}
