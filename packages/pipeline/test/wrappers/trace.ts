import type { Guard } from '../../src/index.ts';
import { createRedactor } from '../../src/index.ts';
import type { Conversation } from './random-conversations.ts';
import type { Trace, WrappedCall, Wrappers } from './wrapped-calls.ts';
import { WRAPPED_CALLS } from './wrapped-calls.ts';

/** Makes calls and says what they did. */
export interface Tracer {
  /**
   * @param name of a wrapper
   * @param turn says which of the guards, and how it redacts
   */
  trace(name: string, conversation: Conversation, turn: number): Promise<Trace>;
}

/** @param makeGuards gives guards that note what they call */
export function createTracer(
  wrappers: Wrappers,
  makeGuards: (note: (called: unknown) => void) => readonly Guard[],
): Tracer {
  let trace: Trace = [];
  const guards = makeGuards((called) => trace.push(called));
  return {
    async trace(name, conversation, turn) {
      trace = [];
      const guard = guards[turn % guards.length] as Guard;
      const isRestored = turn % 5 === 0;
      const key = new Uint8Array(32).fill(7);
      const redactor = isRestored ? { redactor: createRedactor({ style: 'token', key }) } : {};
      const options = { guard, ...redactor, restore: isRestored };
      const call = WRAPPED_CALLS[name] as WrappedCall;
      try {
        await call(wrappers, options, conversation, trace);
      } catch (error) {
        const { name: type, message, violation } = error as Error & { violation?: unknown };
        trace.push(['error', type, message, violation]);
      }
      return JSON.parse(JSON.stringify(trace)) as Trace;
    },
  };
}
