import type { z } from 'zod';
import { ERROR_CATALOG, ProbityError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import { errorsOf } from './endpoint.ts';
import type { ErrorFormat } from './error-format.ts';
import type { ReplyParts } from './reply.ts';
import { contentTypesOf } from './reply.ts';

/** Throws when a response does not match the endpoint's declaration. */
export type ReplyCheck = (reply: ReplyParts) => void;

/** Permitted forms of a response of one status; several when it has a response and an error. */
interface Alternative {
  /** Absent for a response without a JSON body. */
  readonly schema?: z.ZodType | undefined;
  readonly contentTypes: readonly string[];
}

/**
 * Creates the check of an endpoint's responses, errors included.
 * @throws ProbityError (the check) `internal` that names the operation and the path of the fault
 */
export function createReplyCheck(declaration: Endpoint, errorFormat: ErrorFormat): ReplyCheck {
  const { operationId } = declaration;
  const alternatives = alternativesOf(declaration, errorFormat);
  return (reply) => {
    const faults = (alternatives.get(reply.status) ?? []).map((each) => faultOf(reply, each));
    if (faults.includes(null)) return;
    const fault = faults[0] ?? 'the status is not declared';
    throw new ProbityError(
      'internal',
      `The response ${reply.status} of ${operationId} does not match its declaration: ${fault}.`,
    );
  };
}

function alternativesOf(declaration: Endpoint, errorFormat: ErrorFormat) {
  const byStatus = new Map<number, Alternative[]>();
  const add = (status: number, alternative: Alternative) => {
    byStatus.set(status, [...(byStatus.get(status) ?? []), alternative]);
  };
  for (const [status, response] of Object.entries(declaration.responses)) {
    add(Number(status), { schema: response.schema, contentTypes: contentTypesOf(response) });
  }
  for (const kind of errorsOf(declaration)) {
    const status = errorFormat.status({ kind, status: ERROR_CATALOG[kind].status });
    add(status, { schema: errorFormat.schema, contentTypes: [] });
  }
  return byStatus;
}

/** Describes the fault in a response; null when there is none. */
function faultOf({ body, content }: ReplyParts, { schema, contentTypes }: Alternative) {
  if (content) {
    const type = content.contentType.split(';')[0]?.trim() ?? '';
    return contentTypes.includes(type) ? null : `${content.contentType} is not declared`;
  }
  if (contentTypes.length > 0) return 'bytes or a stream are declared';
  if (!schema) return body === undefined ? null : 'no body is declared';
  if (body === undefined) return 'a body is declared';
  const result = schema.safeParse(JSON.parse(JSON.stringify(body)));
  if (result.success) return null;
  return result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`)
    .join('; ');
}
