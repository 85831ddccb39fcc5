import type { Members } from '@probity/pipeline/protocols';
import type { Dispatcher } from 'undici';
import { proxyError } from './proxy-error.ts';

/** Reads a whole answer. @throws ProbityError with status 502 for what is no JSON object or longer than `limit` bytes */
export async function readAnswer(
  body: Dispatcher.ResponseData['body'],
  limit: number,
): Promise<Members> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += (chunk as Buffer).length;
    if (length > limit) throw unreadable(`is larger than ${limit} bytes`);
    parts.push(chunk as Buffer);
  }
  let answer: unknown;
  try {
    answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw unreadable('is no JSON');
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw unreadable('is no JSON object');
  return answer as Members;
}

function unreadable(what: string) {
  return proxyError(
    {
      status: 502,
      message: `The answer of the model ${what}.`,
      type: 'server_error',
      code: 'upstream_broken',
    },
    { 'x-should-retry': 'false' },
  );
}
