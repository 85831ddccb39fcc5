import type { CallContext } from '@probity/core';
import type { ListRequest } from '../lists/request.ts';
import type { SentPage } from '../lists/response.ts';
import type { Projection } from './projection.ts';
import type { SentResource } from './sent.ts';
import type { Preconditions } from './versions.ts';

/** The body of a change, and how it is answered. */
export interface ResourceChange {
  /** JSON as received, not checked yet. */
  readonly body: unknown;
  readonly projection: Projection;
  readonly preconditions: Preconditions;
}

/**
 * Operations on the resources of one type in the caller's organization. Bad bodies are ProbityErrors with a
 * `scimType` as reason, resources that do not exist `not_found`, and versions other than those of If-Match
 * `precondition_failed`.
 */
export interface Resources {
  /** @throws ProbityError `already_exists` when the organization has a resource of this name, in any case */
  create(context: CallContext, body: unknown, projection: Projection): Promise<SentResource>;
  get(context: CallContext, id: string, projection: Projection): Promise<SentResource>;
  list(context: CallContext, request: ListRequest): Promise<SentPage>;
  /** Replaces the attributes (PUT). @throws ProbityError as `create` */
  replace(context: CallContext, id: string, change: ResourceChange): Promise<SentResource>;
  /** Applies PATCH operations, all or none. @throws ProbityError as `create` */
  patch(context: CallContext, id: string, change: ResourceChange): Promise<SentResource>;
  remove(context: CallContext, id: string, preconditions: Preconditions): Promise<void>;
}
