import type { CheckOptions } from '../guard.ts';
import type { Pipeline } from '../pipeline.ts';
import type { PolicyDecision } from '../policy.ts';
import { explainPolicies } from '../policy.ts';
import type { DecidedFinding, Policy, Violation } from '../policy-types.ts';
import { createRedactor } from '../redaction/redactor.ts';
import type { StageReport } from '../types.ts';
import { unfinishedStages } from '../unfinished.ts';
import type { TextPlace } from './scan-messages.ts';
import { scanMessages } from './scan-messages.ts';

/** A conversation to check. */
export interface MessagesInput<Message extends object = object> {
  /**
   * Messages of OpenAI's chat completions or responses, of the AI SDK (`ModelMessage`), or of
   * Anthropic's API, the oldest first. A response is not required.
   */
  readonly messages: readonly Message[];
  /** Passages that the model is given with the last turn, beside the results of tools. */
  readonly context?: readonly string[] | undefined;
  /**
   * `all` (default) decides on the whole conversation; `last` only on the last user's turn, what
   * follows it and the system texts, for conversations whose earlier turns only your program can change.
   */
  readonly turns?: 'all' | 'last' | undefined;
}

/** Where a finding stands in a conversation. Offsets are those of the text at `path`. */
export interface MessagePlace {
  /** Null for a passage of `context`. */
  readonly messageIndex: number | null;
  /** Index in the message's list of parts; null where its content is a text, and for tool calls. */
  readonly partIndex: number | null;
  /**
   * The text by the names of members: `messages.3.content.0.text`; within JSON arguments it goes on:
   * `messages.3.tool_calls.0.function.arguments.city`.
   */
  readonly path: string;
}

/** A finding in a conversation. What reaches across two texts is two findings. */
export type MessageFinding = Omit<DecidedFinding, 'contextIndex'> & MessagePlace;

/** A part that has no text: an image, a sound, a file, an item of an unknown type. */
export interface SkippedPart extends MessagePlace {
  /** As the part says. */
  readonly type: string;
}

/** The decision on a conversation. */
export interface MessagesResult<Message extends object = object> {
  readonly verdict: PolicyDecision['verdict'];
  /**
   * Why it is blocked, `pii_scanner found ssn`, or flagged: `pii_scanner flagged email; injection_scanner did
   * not finish: timeout`. Null where it is allowed.
   */
  readonly reason: string | null;
  readonly violation: Violation | null;
  /**
   * The messages that may be passed on, redacted where a policy says so (numbers in tool calls become
   * strings then); those without a redaction are the same objects. Null when blocked.
   */
  readonly messages: readonly Message[] | null;
  readonly findings: readonly MessageFinding[];
  /** Parts that were not scanned. */
  readonly skipped: readonly SkippedPart[];
  /** The stages that did not come to their end, with status and error; their texts are flagged. */
  readonly failedStages: readonly StageReport[];
}

/**
 * Checks a conversation.
 *
 * @throws TypeError that names the member at fault: `messages.3.content.0.text`
 */
export async function checkMessages<Message extends object>(
  input: MessagesInput<Message>,
  scan: Pipeline['scan'],
  policies: readonly Policy[],
  { signal, redactor = createRedactor(), scanned: kept }: CheckOptions,
): Promise<MessagesResult<Message>> {
  const scanned = await scanMessages(input, scan, { signal, scanned: kept });
  // The texts matter only for what they look like redacted, which is done by message here.
  const { decision, reason } = explainPolicies(policies, scanned.result, { response: '' });
  const { verdict, violation = null, findings } = decision;
  const failedStages = unfinishedStages(scanned.result.stages);
  return {
    verdict,
    reason,
    violation,
    messages: verdict === 'blocked' ? null : await scanned.redact(findings, redactor),
    findings: findings.map(({ contextIndex: _, ...found }) => ({
      ...withoutText(found),
      ...toMessagePlace(scanned.placeOf(found)),
    })),
    skipped: scanned.skipped.map(({ type, ...place }) => ({ ...toMessagePlace(place), type })),
    failedStages,
  };
}

/** Of a finding the members of its type alone. */
function withoutText<Found extends object>(found: Found): Found {
  const { of: _, ...others } = found as Found & { readonly of?: unknown };
  return others as Found;
}

function toMessagePlace({ messageIndex, partIndex, keys }: TextPlace): MessagePlace {
  return { messageIndex, partIndex, path: keys.join('.') };
}
