import type { GuardedCall } from './answer-guard.ts';
import type { IsAsked } from './asked-texts.ts';
import type { ServerSentEvent } from './server-sent-events.ts';

/** An object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** Gives the messages of an answer that may be passed on. */
export type CheckAnswer = (answer: readonly object[]) => Promise<readonly object[]>;

/** Checks one message. Throws as `check` does. */
export async function checkMessage<Message extends object>(
  check: CheckAnswer,
  message: Message,
): Promise<Message> {
  const [checked = message] = (await check([message])) as readonly Message[];
  return checked;
}

/** One of the interfaces of models that are guarded: its messages and its answers. */
export interface Endpoint {
  /** The members of a request that `messagesOf` reads; the texts of all others are settings and tools. */
  readonly messageMembers: readonly string[];
  /** The messages of a request, the oldest first. */
  messagesOf(body: Members): readonly object[];
  /** The body with the messages that may be sent. */
  withMessages(body: Members, messages: readonly object[]): Members;
  /**
   * The answer as it may be passed on. Throws as `check` does.
   *
   * @param isAsked undefined where the request is not known
   */
  checkAnswer(answer: Members, check: CheckAnswer, isAsked?: IsAsked): Promise<Members>;
  /** Guards the events of a streamed answer. */
  createEvents(call: GuardedCall): AnswerEvents;
}

/** Guards the events of a streamed answer. */
export interface AnswerEvents {
  /**
   * Gives what may be passed on after an event.
   *
   * @throws BlockedError where a policy blocks
   */
  take(event: ServerSentEvent): Promise<readonly ServerSentEvent[]>;
  /** Gives the rest, where the stream ends without saying so. */
  end(): Promise<readonly ServerSentEvent[]>;
}
