import { parseStrictJson } from '@probity/core/internal';
import type { BodyMemory } from '@probity/core/koa';
import { noteNumbers } from '@probity/pipeline/protocols';

/**
 * Parses a body strictly, and notes how its numbers were written, so that `writeJson` writes them as they came.
 *
 * @throws ProbityError `invalid_request`
 */
export async function parseBody(bytes: Uint8Array, memory?: BodyMemory): Promise<unknown> {
  const value = await parseStrictJson(bytes, memory);
  await noteNumbers(value, new TextDecoder('utf-8').decode(bytes));
  return value;
}
