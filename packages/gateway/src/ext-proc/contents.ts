import { isDeepStrictEqual } from 'node:util';
import type { Members } from '@probity/pipeline/protocols';
import { writeJsonInTurns } from '@probity/pipeline/protocols';
import { parseBody } from '../http/json-body.ts';
import type { ProxyCall } from '../proxy/guarded-call.ts';
import type { ProxyProtocol } from '../proxy/protocols.ts';
import { PROTOCOLS } from '../proxy/protocols.ts';
import { proxyError } from '../proxy/proxy-error.ts';
import { settingsOf, withSettings } from '../proxy/settings.ts';

/** A body of a request as it is scanned. */
export interface RequestContents {
  readonly asked: readonly object[];
  /** All members but the messages. */
  readonly settings: Members;
  /** For whom the request is, as it says. */
  readonly userId: string | undefined;
  /** The body with other messages and settings in the same places. */
  replaced(messages: readonly object[], settings: Members): Promise<string>;
}

/** The interface of models that a path is of; the path may have anything before it. */
export function protocolOf(path: string): ProxyProtocol | undefined {
  const plain = path.split('?')[0]?.replace(/\/+$/, '') ?? '';
  return PROTOCOLS.find((protocol) => plain.endsWith(protocol.path));
}

/**
 * Reads the body of a request: in an interface of models by its messages, otherwise JSON by all texts in it, and
 * everything else as one text.
 *
 * @throws ProbityError with status 400 or 415 for what cannot be scanned
 */
export async function readRequest(
  protocol: ProxyProtocol | undefined,
  bytes: Buffer,
): Promise<RequestContents> {
  if (protocol === undefined) {
    const body = await readAny(bytes, 415);
    return {
      asked: [body.message],
      settings: {},
      userId: undefined,
      replaced: ([message]) => body.write(message ?? {}),
    };
  }
  const members = await readMembers(bytes);
  const { endpoint } = protocol;
  const asked = endpoint.messagesOf(members);
  if (!Array.isArray(asked)) {
    throw proxyError({ status: 400, message: 'messages: expected a list of messages' });
  }
  const settings = settingsOf(members, endpoint.messageMembers);
  return {
    asked,
    settings,
    userId: protocol.userOf(members),
    replaced: (messages, checked) =>
      writeJsonInTurns(
        endpoint.withMessages(withSettings(members, settings, checked), messages),
        members,
      ),
  };
}

async function readMembers(bytes: Buffer): Promise<Members> {
  const members = await parseBody(bytes);
  if (typeof members === 'object' && members !== null && !Array.isArray(members)) {
    return members as Members;
  }
  throw proxyError({ status: 400, message: 'The body must be a JSON object.' });
}

/**
 * Checks a whole answer.
 *
 * @returns what may be passed on; null where it is the answer as it came
 * @throws BlockedError where the policies block
 */
export async function checkAnswer(
  protocol: ProxyProtocol | undefined,
  call: ProxyCall,
  bytes: Buffer,
): Promise<string | null> {
  if (protocol === undefined) {
    const body = await readAny(bytes, 502, 'assistant');
    const [message = {}] = await call.checkAnswer([body.message]);
    return message === body.message ? null : body.write(message);
  }
  const answer = await readJson(bytes);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw unreadable(502);
  const checked = await protocol.endpoint.checkAnswer(
    answer as Members,
    (messages) => call.checkAnswer(messages),
    call.isAsked,
  );
  return isDeepStrictEqual(checked, answer) ? null : writeJsonInTurns(checked, answer);
}

interface AnyBody {
  readonly message: object;
  write(message: object): Promise<string>;
}

type JsonMessage = {
  readonly content: readonly [{ readonly output: { readonly value: unknown } }];
};

/** JSON is read by its values, since escapes would hide what is written with them. */
async function readAny(bytes: Buffer, status: 415 | 502, role = 'user'): Promise<AnyBody> {
  const value = await readJson(bytes).catch(() => undefined);
  if (typeof value === 'object' && value !== null) {
    const output = { type: 'json', value };
    return {
      message: { role: 'tool', content: [{ type: 'tool-result', output }] },
      write: (message) => writeJsonInTurns((message as JsonMessage).content[0].output.value, value),
    };
  }
  const content = readText(bytes, status);
  return {
    message: { role, content },
    write: async (message) => String((message as { readonly content: unknown }).content),
  };
}

async function readJson(bytes: Buffer): Promise<unknown> {
  try {
    return await parseBody(bytes);
  } catch {
    throw unreadable(502);
  }
}

function readText(bytes: Buffer, status: 415 | 502): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(status);
  }
}

/** What is no text cannot be scanned, and passes neither way. */
export function unreadable(status: 415 | 502, what = 'is neither text nor JSON in UTF-8') {
  const subject = status === 415 ? 'The body of the request' : 'The answer of the upstream';
  const type = status === 415 ? 'invalid_request_error' : 'server_error';
  return proxyError({ status, message: `${subject} ${what}.`, type });
}
