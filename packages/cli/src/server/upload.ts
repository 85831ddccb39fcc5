import type { CommandContext } from '../context.ts';
import type { Access } from '../credentials/access.ts';
import { GENERAL_PATH } from '../credentials/base-url.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, reasonOf } from '../failure.ts';
import { visible } from '../terminal/text.ts';
import { userAgent } from './session.ts';

/** A file that is sent as it is. */
export interface Upload {
  /** Below the prefix of the general API, with its query. */
  readonly path: string;
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The longest that an answer is waited for. */
const TIMEOUT_MS = 600_000;
const MAX_ANSWER_BYTES = 33_554_432;

/**
 * Sends a file as a stream, once: the client of the API sends JSON that it holds in memory.
 * @returns the JSON of the answer
 * @throws CommandFailure when no answer arrives, or it is not one of success
 */
export async function upload(
  { baseUrl, apiKey, apiPath }: Access,
  { path, contentType, body }: Upload,
  { signal }: CommandContext,
): Promise<unknown> {
  const url = `${baseUrl}${apiPath ?? GENERAL_PATH}${path}`;
  const init = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'content-type': contentType,
      'user-agent': userAgent(),
    },
    body: ReadableStream.from(body),
    // What fetch of Node wants for a body that is a stream.
    duplex: 'half',
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  } as const;
  const answer = await fetch(url, init as RequestInit).catch((error: unknown) => {
    throw connectionFailure(error, baseUrl);
  });
  const text = await readText(answer);
  const value = parse(text);
  if (answer.ok && value !== undefined) return value;
  throw answerFailure(answer.status, value, path);
}

/** A file that cannot be read ends the request, and is then what is told. */
function connectionFailure(error: unknown, baseUrl: string): unknown {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof CommandFailure) return cause;
  return new CommandFailure(EXIT.network, `no answer from ${baseUrl}: ${reasonOf(cause)}`, {
    cause: error,
  });
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly requestId?: string;
    readonly details?: ReadonlyArray<{ readonly field: string; readonly message: string }>;
  };
}

function answerFailure(status: number, value: unknown, path: string): CommandFailure {
  const { code, message, requestId, details = [] } = (value as ErrorBody | undefined)?.error ?? {};
  const isAccess = status === 401 || status === 403;
  const text = message ?? `POST ${path} was answered ${status}.`;
  const origin = [code ?? `http_${status}`, ...(requestId ? [`request ${requestId}`] : [])];
  const fields = details.map((each) => `\n  ${visible(each.field)}: ${visible(each.message)}`);
  return new CommandFailure(
    isAccess ? EXIT.access : EXIT.server,
    `${visible(text).replace(/\.$/, '')} (${visible(origin.join(', '))})${fields.join('')}`,
    { cause: { status } },
  );
}
