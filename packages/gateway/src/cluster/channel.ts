import { ProbityError } from '@probity/core';

/** One end of a connection between two processes; messages arrive in the order in which they were sent. */
export interface Port {
  send(message: object): void;
  onMessage(take: (message: unknown) => void): void;
}

/** Requests and messages in both directions between two processes. */
export interface Channel {
  call<Answer>(part: string, request: unknown): Promise<Answer>;
  tell(part: string, message: unknown): void;
  /** The other end is gone: calls without an answer reject. */
  close(reason: string): void;
}

/** What the other end sends to a part of this one. */
export interface Incoming {
  readonly part: string;
  readonly body: unknown;
  /** Whether it waits for an answer. */
  readonly isCall: boolean;
}

interface WireError {
  readonly kind?: ProbityError['kind'] | undefined;
  readonly message: string;
  readonly status?: number | undefined;
  readonly details?: ProbityError['details'];
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** `id` is that of a call, `re` that of the call that is answered. */
type Wire =
  | { readonly part: string; readonly body: unknown; readonly id?: number }
  | { readonly re: number; readonly result?: unknown; readonly error?: WireError };

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Connects this process with the other one; `take` gets what arrives. */
export function createChannel(port: Port, take: (incoming: Incoming) => unknown): Channel {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let closed: string | null = null;
  const answer = async (id: number, incoming: Incoming) => {
    try {
      port.send({ re: id, result: await take(incoming) } satisfies Wire);
    } catch (error) {
      port.send({ re: id, error: toWireError(error) } satisfies Wire);
    }
  };
  port.onMessage((message) => {
    if (!isWire(message)) return;
    if ('re' in message) {
      const call = waiting.get(message.re);
      waiting.delete(message.re);
      if (message.error) call?.reject(fromWireError(message.error));
      else call?.resolve(message.result);
      return;
    }
    const { part, body, id } = message;
    if (id === undefined) take({ part, body, isCall: false });
    else void answer(id, { part, body, isCall: true });
  });
  return {
    call<Answer>(part: string, request: unknown) {
      return new Promise<Answer>((resolve, reject) => {
        if (closed !== null) return reject(new ProbityError('unavailable', closed));
        const id = ++lastId;
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
        port.send({ part, body: request, id } satisfies Wire);
      });
    },
    tell(part, message) {
      if (closed === null) port.send({ part, body: message } satisfies Wire);
    },
    close(reason) {
      closed ??= reason;
      for (const { reject } of waiting.values()) reject(new ProbityError('unavailable', reason));
      waiting.clear();
    },
  };
}

function isWire(message: unknown): message is Wire {
  if (typeof message !== 'object' || message === null) return false;
  return 're' in message || 'part' in message;
}

function toWireError(thrown: unknown): WireError {
  if (thrown instanceof ProbityError) {
    const { kind, message, status, details, headers } = thrown;
    return { kind, message, status, details, headers };
  }
  return { message: thrown instanceof Error ? thrown.message : String(thrown) };
}

function fromWireError({ kind, message, ...options }: WireError): Error {
  return kind === undefined ? new Error(message) : new ProbityError(kind, message, options);
}
