import { collectBytes } from '@probity/core/internal';
import type { BodyMemory } from '@probity/core/koa';
import type { Members, Steps } from '@probity/pipeline/protocols';
import { isStepDue, runInTurns } from '@probity/pipeline/protocols';
import { findAlikeName, foldedName } from '../http/alike-names.ts';
import { parseBody } from '../http/json-body.ts';
import { proxyError } from './proxy-error.ts';

/** The body of a call, as it came and as it is read. */
export interface RequestBody {
  readonly bytes: Uint8Array;
  readonly members: Members;
}

/** Reads a body strictly: what another parser could read otherwise, such as a member given twice, is refused. */
export async function readRequestBody(
  chunks: AsyncIterable<Uint8Array>,
  memory?: BodyMemory,
): Promise<RequestBody> {
  const bytes = await collectBytes(chunks);
  const members = await parseBody(bytes, memory);
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw proxyError({ status: 400, message: 'The body must be a JSON object.' });
  }
  await runInTurns(refuseAlikeNames(members as Members));
  return { bytes, members: members as Members };
}

/** Members of a body that the gateway decides by. */
const OWN = new Set([
  ...['model', 'messages', 'input', 'instructions', 'system', 'stream', 'stream_options', 'user'],
  ...['metadata', 'n', 'best_of', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'],
]);
/** Members with the conversation. */
const CONVERSATION = ['messages', 'input', 'system'] as const;
/** Values of tools: their names are whatever a tool wants. */
const FREE = new Set(['input', 'arguments', 'args', 'parameters', 'output', 'result', 'action']);

/**
 * Refuses members that a server may take for those that were looked at: `Model` beside `model`.
 *
 * @throws ProbityError with status 400 that names the member
 */
function* refuseAlikeNames(body: Members): Steps<void> {
  const alike = findAlikeName(body);
  if (alike !== undefined) throw alikeError(alike);
  for (const name of Object.keys(body)) {
    if (!OWN.has(name) && OWN.has(foldedName(name))) throw alikeError(name);
  }
  for (const name of CONVERSATION) yield* walk(body[name], name);
}

function* walk(value: unknown, path: string): Steps<void> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      if (isStepDue()) yield;
      if (isObject(each)) yield* walk(each, `${path}[${index}]`);
    }
  } else if (isObject(value)) {
    const alike = findAlikeName(value);
    if (alike !== undefined) throw alikeError(`${path}.${alike}`);
    for (const [name, each] of Object.entries(value)) {
      // Lists of parts are no values of a tool.
      const isRead = !FREE.has(name) || Array.isArray(each);
      if (isRead && isObject(each)) yield* walk(each, `${path}.${name}`);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function alikeError(path: string) {
  const message = `${path.slice(0, 200)}: differs from another member, or from one of the interface, in letter case alone`;
  return proxyError({ status: 400, message, param: path.slice(0, 200) });
}
