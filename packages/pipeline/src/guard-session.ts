import type { Guard } from './guard.ts';
import type { Violation } from './policy-types.ts';
import type { ScanInput } from './types.ts';

/**
 * A guard that stores a record of every exchange, as `guard(context)` of `@probity/governance` makes it.
 * An exchange keeps the policies that apply when it begins.
 */
export interface StoringGuard {
  /** Checks as {@link Guard} does, and stores every check. */
  readonly check: Guard['check'];
  /** Begins an exchange: a request and the answer to it. */
  begin(): Promise<GuardSession>;
}

/** One exchange that is checked in parts and stored once. */
export interface GuardSession {
  /** Checks the parts and stores none of them. */
  readonly guard: Guard;
  /** Stores the exchange at its end. */
  store(exchange: GuardedExchange): Promise<void>;
}

/** The texts of an exchange as they came, and why it was blocked. */
export interface GuardedExchange {
  readonly content: ScanInput | { readonly messages: readonly object[] };
  readonly violation: Violation | null;
}

/** Begins an exchange with either kind of guard; a plain one stores nothing. */
export async function beginSession(guard: Guard | StoringGuard): Promise<GuardSession> {
  return 'begin' in guard ? guard.begin() : { guard, store: async () => {} };
}

/** Calls `finish` once when a stream is over: read to its end, failed or canceled; its end waits for that. */
export function whenOver<Part>(
  stream: ReadableStream<Part>,
  finish: () => Promise<void>,
): ReadableStream<Part> {
  const reader = stream.getReader();
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        let next: Awaited<ReturnType<typeof reader.read>>;
        try {
          next = await reader.read();
        } catch (error) {
          await finish();
          throw error;
        }
        if (!next.done) return controller.enqueue(next.value);
        await finish();
        controller.close();
      },
      async cancel(reason) {
        await reader.cancel(reason);
        await finish();
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}
