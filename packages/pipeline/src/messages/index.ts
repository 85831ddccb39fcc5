export { isPlainIdentifier } from './identifiers.ts';
export type { MessageFault } from './message-faults.ts';
export { isMessage, messageFaults } from './message-faults.ts';
export { hasNotedNumbers, keepNumbers, noteNumbers, writeJsonInTurns } from './number-texts.ts';
export { restoreMessages } from './restore-messages.ts';
export { rememberScans } from './scan-memory.ts';
export type {
  MessagesToScan,
  ScannedMessages,
  SkippedText,
  TextPlace,
} from './scan-messages.ts';
export { readLastTurn, scanMessages } from './scan-messages.ts';
export type { TextPiece, TogetherScan } from './scan-together.ts';
export { scanTogether } from './scan-together.ts';
export type { Steps } from './steps.ts';
export { isStepDue, runInTurns } from './steps.ts';
