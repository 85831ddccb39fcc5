import { parseStrictJson } from '@probity/core/internal';
import type { Members } from '@probity/pipeline/protocols';
import { proxyError } from './proxy-error.ts';

/** The body of a call, as it came and as it is read. */
export interface RequestBody {
  readonly bytes: Uint8Array;
  readonly members: Members;
}

/** Reads a body strictly: what another parser could read otherwise, such as a member given twice, is refused. */
export async function readRequestBody(chunks: AsyncIterable<Uint8Array>): Promise<RequestBody> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const bytes = Buffer.concat(parts);
  const members = await parseStrictJson(bytes);
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw proxyError({ status: 400, message: 'The body must be a JSON object.' });
  }
  return { bytes, members: members as Members };
}
