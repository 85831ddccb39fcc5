import type { Members } from '@probity/pipeline/protocols';
import { LRUCache } from 'lru-cache';
import type { Primary, PrimaryPart } from '../cluster/part.ts';
import type { ProxyProtocol } from './protocols.ts';
import { proxyError } from './proxy-error.ts';

/** The API key that made a response, and the model that answered. */
interface ResponseOwner {
  /** Name of the API key. */
  readonly key: string;
  /** `PROVIDER/MODEL`. */
  readonly model: string;
}

/** Remembers who made the responses that providers store. */
export interface ResponseOwners {
  note(id: string, owner: ResponseOwner): Promise<void>;
  /** Null for a response of an earlier start, of another gateway, or of a long time ago. */
  find(id: string): Promise<ResponseOwner | null>;
}

interface Question {
  readonly id: string;
  readonly owner?: ResponseOwner;
}

const PART = 'response-owners';
/** Responses that are remembered, the latest ones. */
const MAX_RESPONSES = 200_000;
/** Ids of providers are shorter; longer ones are not remembered. */
const MAX_ID_LENGTH = 256;

/** The part of the primary that remembers, since each request may come to another process. */
export function createResponseOwnersPart(): PrimaryPart {
  const owners = new LRUCache<string, ResponseOwner>({
    maxSize: MAX_RESPONSES,
    sizeCalculation: () => 1,
  });
  return {
    name: PART,
    answer(request) {
      const { id, owner } = request as Question;
      if (owner === undefined) return owners.get(id) ?? null;
      // The first key keeps its response, whatever id another provider gives to another one.
      if (!owners.has(id)) owners.set(id, owner);
      return null;
    },
  };
}

/** The memory, as a serving process uses it. */
export function createResponseOwners(primary: Primary): ResponseOwners {
  return {
    async note(id, owner) {
      if (id.length <= MAX_ID_LENGTH) await primary.call(PART, { id, owner });
    },
    find: (id) => primary.call<ResponseOwner | null>(PART, { id }),
  };
}

/** A call by an interface whose answers the provider may store. */
interface StoredCall {
  readonly protocol: Pick<ProxyProtocol, 'isStored'>;
  readonly body: { readonly members: Members };
  readonly context: { readonly principal: { readonly keyId: string } };
}

/**
 * Refuses a request that goes on from a response of another API key: the model would answer from its conversation.
 *
 * @throws ProbityError with status 400, as OpenAI answers for an id that it does not know
 */
export async function requireOwnPrevious(
  owners: ResponseOwners,
  { protocol, body, context }: StoredCall,
): Promise<void> {
  const id = protocol.isStored ? body.members.previous_response_id : undefined;
  if (typeof id !== 'string' || id.length > MAX_ID_LENGTH) return;
  const owner = await owners.find(id);
  if (owner === null || owner.key === context.principal.keyId) return;
  throw proxyError({
    status: 400,
    message: `Previous response with id ${JSON.stringify(id)} not found.`,
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  });
}
