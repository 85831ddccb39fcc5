import type { ScannedFields } from './kept-fields.ts';
import { requireScannedFields } from './kept-fields.ts';
import { GUARD_MEMBERS, requireKnownMembers, requireSignal, typeOf } from './known-members.ts';
import { lazily } from './lazy.ts';
import type { MessagesInput, MessagesResult } from './messages/check-messages.ts';
import type { Pipeline } from './pipeline.ts';
import { createPipeline, defaultStages } from './pipeline.ts';
import type { PolicyDecision } from './policy.ts';
import { builtInPolicyRules, explainPolicies } from './policy.ts';
import { parsePolicies } from './policy-check.ts';
import type { DecidedFinding, Policy, Violation } from './policy-types.ts';
import type { ScanPool } from './pool/scan-pool.ts';
import type { Redactor } from './redaction/redactor.ts';
import { requireRedactor } from './redaction/redactor.ts';
import type { ScanInput, StageReport } from './types.ts';
import { unfinishedStages } from './unfinished.ts';

/** Texts to check: a prompt, a response, or both; see `ScanInput`. */
export type GuardInput = Omit<ScanInput, 'response'> &
  (
    | { readonly response: string }
    | { readonly prompt: string; readonly response?: string | undefined }
  );

/** The decision on a text. */
export interface GuardResult {
  readonly verdict: PolicyDecision['verdict'];
  /**
   * Why it is blocked, `pii_scanner found ssn`, or flagged: `pii_scanner flagged email; injection_scanner did
   * not finish: timeout`. Null where it is allowed.
   */
  readonly reason: string | null;
  /** The violation, with the policy's id and a code; null unless the text is blocked. */
  readonly violation: Violation | null;
  /**
   * The response that may be passed on, or the prompt where no response was given; redacted where a
   * policy says so, null when blocked.
   */
  readonly text: string | null;
  /** The prompt that may be passed on; null when blocked or not given. */
  readonly prompt: string | null;
  /** The response that may be passed on; null when blocked or not given. */
  readonly response: string | null;
  readonly findings: readonly DecidedFinding[];
  /** The stages that did not come to their end, with status and error; their texts are flagged. */
  readonly failedStages: readonly StageReport[];
}

/** Checks texts by policies. */
export interface Guard {
  /** What it scans with. */
  readonly pipeline: Pipeline;
  /** What it decides by, checked and frozen. */
  readonly policies: readonly Policy[];
  /**
   * Checks a conversation. User messages are read as prompts, assistant messages as responses, results
   * of tools as context, system and developer messages as system text; what a model writes in tool
   * calls and as its reasoning is scanned like a response. Turns that this guard has checked before
   * are not scanned again.
   *
   * @throws TypeError that names the member at fault: `messages.3.content.0.text`; or an unknown option
   * @throws ScanCanceledError when the signal aborts
   */
  check<Message extends object>(
    input: MessagesInput<Message>,
    options?: CheckOptions,
  ): Promise<MessagesResult<Message>>;
  /**
   * @throws TypeError when `input` has neither prompt nor response, a text that is not a string or an
   *   unknown member, or for an unknown option
   * @throws ScanCanceledError when the signal aborts
   */
  check(input: GuardInput, options?: CheckOptions): Promise<GuardResult>;
}

/** How a text is checked. */
export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Replaces what a policy redacts; one for several checks gives the same value the same replacement in all
   * of them. Default: numbered placeholders, numbered anew for each check.
   */
  readonly redactor?: Redactor | undefined;
  /**
   * What checks of the same texts have found: one for all checks of an exchange has a prompt read once that is
   * checked before it is sent and again with its response; see `keepScannedFields`. The guard itself keeps no text.
   */
  readonly scanned?: ScannedFields | undefined;
}

/** Options of {@link createGuard}. */
export interface GuardOptions {
  /** Default: every built-in stage that needs no settings, and `secrets_scanner`, whose findings flag. */
  readonly pipeline?: Pipeline | undefined;
  /** Scans instead of `pipeline`, long texts in threads. It is yours to close. */
  readonly pool?: ScanPool | undefined;
  /** Copied. Default: the built-in policy. An empty list allows everything. */
  readonly policies?: readonly Policy[] | undefined;
}

const builtInPolicy = (pipeline: Pipeline): Policy => ({
  id: 'pol_builtin',
  name: 'Built-in policy',
  rules: builtInPolicyRules(pipeline),
});

/**
 * Refuses what is no guard, such as its options.
 * @throws TypeError that names the option
 */
export function requireGuard(owner: string, guard: unknown): void {
  if (guard === undefined || typeof (guard as Guard | null)?.check === 'function') return;
  throw new TypeError(`${owner}: guard must be made by createGuard(); got ${typeOf(guard)}.`);
}

/**
 * Creates a guard: a pipeline and the policies that decide on what it finds.
 *
 * @throws PipelineConfigError that names the member of a policy at fault
 * @example
 * const guard = createGuard();
 * const { verdict, reason } = await guard.check({ response: 'Her SSN is 536-22-8145.' });
 * // blocked, 'pii_scanner found ssn'
 */
export function createGuard(options: GuardOptions = {}): Guard {
  requireKnownMembers('createGuard', options, ['pipeline', 'policies', 'pool']);
  if (options.pipeline !== undefined && options.pool !== undefined) {
    throw new TypeError('createGuard: give a pipeline or a pool, not both.');
  }
  const given = options.pipeline ?? options.pool;
  const pipeline = given ?? createPipeline({ stages: defaultStages() });
  if (typeof pipeline?.scan !== 'function') {
    if (options.pool !== undefined) {
      throw new TypeError('createGuard: pool must be made by createScanPool().');
    }
    throw new TypeError('createGuard: pipeline must be made by createPipeline({ stages }).');
  }
  const policies = parsePolicies(options.policies ?? [builtInPolicy(pipeline)], { pipeline });
  const withMessages = lazily(async () => {
    const { checkMessages } = await import('./messages/check-messages.ts');
    const { rememberScans } = await import('./messages/scan-memory.ts');
    return { checkMessages, scanTurn: rememberScans(pipeline) };
  });
  async function checkConversation(input: MessagesInput, options: CheckOptions) {
    requireKnownMembers('check', input, ['messages', 'context', 'turns']);
    return withMessages(({ checkMessages, scanTurn }) =>
      checkMessages(input, scanTurn, policies, options),
    );
  }
  async function checkTexts(
    input: GuardInput,
    { signal, redactor, scanned }: CheckOptions,
  ): Promise<GuardResult> {
    const { texts, hasResponse } = readInput(input);
    const result = await pipeline.scan(texts, { signal, scanned });
    const { decision, reason } = explainPolicies(policies, result, texts, redactor);
    const { verdict, violation = null, redacted, findings } = decision;
    const passable = (field: 'prompt' | 'response') => {
      if (verdict === 'blocked') return null;
      return redacted?.[field] ?? texts[field] ?? null;
    };
    const prompt = passable('prompt');
    const response = hasResponse ? passable('response') : null;
    const text = hasResponse ? response : prompt;
    const failedStages = unfinishedStages(result.stages);
    return { verdict, reason, violation, text, prompt, response, findings, failedStages };
  }
  async function check(input: GuardInput | MessagesInput, options: CheckOptions = {}) {
    requireKnownMembers('check', options, ['signal', 'redactor', 'scanned']);
    requireSignal('check', options.signal);
    requireRedactor('check', options.redactor);
    requireScannedFields('check', options.scanned);
    return isConversation(input) ? checkConversation(input, options) : checkTexts(input, options);
  }
  return { pipeline, policies, check: check as Guard['check'] };
}

function isConversation(input: GuardInput | MessagesInput): input is MessagesInput {
  return typeof input === 'object' && input !== null && 'messages' in input;
}

function readInput(input: GuardInput): { texts: ScanInput; hasResponse: boolean } {
  if (typeof input !== 'object' || input === null) throw wrongInput();
  requireKnownMembers('check', input, GUARD_MEMBERS);
  // By name: a spread leaves out inherited getters.
  const { prompt, response, context, system } = input as Partial<ScanInput>;
  const [name, text] = response === undefined ? ['prompt', prompt] : ['response', response];
  if (text === undefined) throw wrongInput();
  if (typeof text !== 'string') {
    throw new TypeError(`input.${name} must be a string; got ${typeOf(text)}.`);
  }
  const texts = { prompt, response: response ?? '', context, system };
  return { texts, hasResponse: response !== undefined };
}

function wrongInput(): TypeError {
  return new TypeError(
    'check needs an object with a prompt or a response, each a text, or with messages.',
  );
}
