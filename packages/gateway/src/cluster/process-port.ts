import type { Port } from './channel.ts';

interface Messaging {
  send?(
    message: object,
    handle: undefined,
    options: undefined,
    done: (error: Error | null) => void,
  ): boolean;
  on(event: 'message', take: (message: unknown) => void): unknown;
}

/** The connection to the parent process, or to a child. */
export function processPort(other: object): Port {
  const messaging = other as Messaging;
  return {
    // What cannot be sent concerns a process that has ended: its end is told by events of its own.
    send: (message) => void messaging.send?.(message, undefined, undefined, () => undefined),
    onMessage: (take) => void messaging.on('message', take),
  };
}
