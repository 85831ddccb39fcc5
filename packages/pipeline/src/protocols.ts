/**
 * The interfaces of models as modules, for programs between a client and a model: which messages a request has,
 * and how its answer, whole or streamed, is checked. Loaded apart, as most programs do not need it.
 */

export { digitsOf } from './messages/json-source.ts';
export {
  keepNumbers,
  noteNumbers,
  numberText,
  parseJson,
  parseJsonInTurns,
  writeJson,
  writeJsonInTurns,
} from './messages/number-texts.ts';
export type { Steps } from './messages/steps.ts';
export { isStepDue, runInTurns } from './messages/steps.ts';
export type { GuardedCall, TextGate } from './wrappers/answer-guard.ts';
export { MESSAGES } from './wrappers/anthropic-endpoint.ts';
export { createIsAsked } from './wrappers/asked-texts.ts';
export type { AnswerEvents, CheckAnswer, Endpoint, Members } from './wrappers/endpoint.ts';
export { CHAT, RESPONSES } from './wrappers/openai-endpoints.ts';
export type { Restoration } from './wrappers/restoration.ts';
export { keepReplaced, restoreReplaced } from './wrappers/restoration.ts';
export type { ServerSentEvent } from './wrappers/server-sent-events.ts';
export { createEventReader, writeEvent } from './wrappers/server-sent-events.ts';
export { withoutWrongSignatures } from './wrappers/signatures.ts';
export type { CheckUnread, ReadShape } from './wrappers/unread-members.ts';
export { createUnreadCheck } from './wrappers/unread-members.ts';
