import { BlockedError } from '../errors.ts';
import type { Guard } from '../guard.ts';
import { createGuard, requireGuard } from '../guard.ts';
import { keepScannedFields } from '../kept-fields.ts';
import { requireKnownMembers, typeOf } from '../known-members.ts';
import { readLastTurn } from '../messages/scan-messages.ts';
import type { TextPiece } from '../messages/scan-together.ts';
import { scanTogether } from '../messages/scan-together.ts';
import type { DecidedFinding } from '../policy.ts';
import { evaluatePolicies } from '../policy.ts';
import type { RedactionMark, Redactor, ReversibleRedactor } from '../redaction/redactor.ts';
import { createRedactor, requireRedactor } from '../redaction/redactor.ts';
import type { RestoredText } from '../redaction/token-restorer.ts';
import { DEFAULT_MAX_WORK } from '../stream/stream-options.ts';
import type { StreamScanner } from '../stream/stream-scanner.ts';
import { createStreamScanner } from '../stream/stream-scanner.ts';
import type { StreamStep } from '../stream/stream-steps.ts';
import type { Restoration } from './restoration.ts';
import { keepReplaced, restoreReplaced } from './restoration.ts';
import { withoutWrongSignatures } from './signatures.ts';

/** How the calls of a client are guarded. */
export interface ClientGuardOptions {
  /** Whose pipeline and policies decide. Default: `createGuard()`. */
  readonly guard?: Guard | undefined;
  /**
   * How many times the length of a streamed answer is scanned in all at most; see `guardStream`.
   * Default 1.5.
   */
  readonly maxWork?: number | undefined;
  /** How much of a streamed answer must follow what is passed on. UTF-16 units, default 256. */
  readonly holdBack?: number | undefined;
  /**
   * Replaces what a policy redacts, in all calls of the client: the same value gets the same replacement in
   * all of them, and tokens can be restored. It keeps the values, so make a client for each conversation.
   * Default: numbered placeholders, numbered anew for each call.
   */
  readonly redactor?: Redactor | undefined;
  /**
   * Puts the values of a request back in the answer to it, streamed or not and in tool calls, in place of their
   * tokens: the model sees none of them, and the user sees no token. What only the answer has stays redacted.
   * Needs tokens: a redactor by `createRedactor`. Default false.
   */
  readonly restore?: boolean | undefined;
}

/** Guards the calls of a client, whatever its protocol. */
export interface AnswerGuard {
  /**
   * Begins a call: the messages `asked` and the answer to them, in which the same value gets the same
   * replacement.
   */
  open<Message extends object>(
    asked: readonly Message[],
    signal?: AbortSignal,
  ): GuardedCall<Message>;
}

/** Guards one call: the request and the answer to it. */
export interface GuardedCall<Asked extends object = object> {
  /** The messages as they were given. */
  readonly asked: readonly Asked[];
  /** What is kept of a streamed answer at most, in UTF-16 units. Default 8 Mi. */
  readonly maxHeld?: number | undefined;
  /**
   * The messages that may be sent.
   *
   * @throws BlockedError where a policy blocks
   * @throws TypeError for messages of a wrong form
   */
  checkRequest(): Promise<readonly Asked[]>;
  /** The messages of an answer that may be passed on. Throws as `checkRequest` does. */
  checkAnswer<Message extends object>(answer: readonly Message[]): Promise<readonly Message[]>;
  /** Guards one text of a streamed answer. */
  openText(): TextGate;
  /** The same for a text that claims nothing, such as the reasoning before an answer. */
  openAside(): TextGate;
  /**
   * Looks at pieces of texts of a streamed answer that follow one another, for what they have only together.
   *
   * @returns for each piece what a policy redacts of its text, by offsets in the text
   * @throws BlockedError where a policy blocks
   */
  checkTogether(texts: readonly TextPiece[]): Promise<readonly (readonly RedactionMark[])[]>;
}

/** A text that is passed on as far as it is settled. */
export interface TextGate {
  /**
   * Takes the next part and gives what may be passed on now.
   *
   * @throws BlockedError where a policy blocks; nothing of the finding was passed on
   */
  feed(text: string): Promise<string>;
  /** Has ranges of the text replaced as well, as far as they have not been passed on. */
  redact(marks: readonly RedactionMark[]): Promise<void>;
  /** Gives the rest; empty when it has ended already. Throws as `feed` does. */
  end(): Promise<string>;
  /** All that was passed on. */
  passed(): string;
  /** Whether a policy has redacted some of it; known at its end. */
  isRedacted(): boolean;
}

/**
 * @param further options that are not read here
 * @throws TypeError for an option that does not exist
 */
export function createAnswerGuard(
  owner: string,
  options: ClientGuardOptions,
  further: readonly string[] = [],
): AnswerGuard {
  const known = ['guard', 'maxWork', 'holdBack', 'redactor', 'restore', ...further];
  requireKnownMembers(owner, options, known);
  requireGuard(owner, options.guard);
  requireRedactor(owner, options.redactor);
  requireReversible(owner, options);
  const { guard = createGuard(), maxWork = DEFAULT_MAX_WORK, holdBack } = options;
  const { pipeline, policies } = guard;
  // Wrong options are errors now, rather than at the first stream.
  createStreamScanner(pipeline, { maxWork, holdBack });
  return {
    open<Asked extends object>(asked: readonly Asked[], signal?: AbortSignal): GuardedCall<Asked> {
      const restoration = chooseRestoration(options);
      // The request is scanned before it is sent, and again beside its answer.
      const scanned = keepScannedFields();
      // The model saw the request with what was replaced in it: its answer is judged by that, with the same tokens.
      let sent = asked;
      const check = async <Message extends object>(
        messages: readonly Message[],
        redactor: Redactor,
      ): Promise<readonly Message[]> => {
        const checked = await guard.check({ messages }, { signal, redactor, scanned });
        if (checked.violation !== null) throw new BlockedError(checked.violation);
        return checked.messages as readonly Message[];
      };
      const openGate = (given: object): TextGate => {
        const { answered: redactor } = restoration;
        const scanner = { ...given, policies, maxWork, holdBack, signal, redactor, scanned };
        return createGate(() => createStreamScanner(pipeline, scanner), restoration);
      };
      return {
        asked,
        async checkRequest() {
          const checked = await check(asked, restoration.asked);
          sent = checked;
          return restoration.isRepeatable ? checked : withoutWrongSignatures(asked, checked);
        },
        async checkAnswer<Message extends object>(answer: readonly Message[]) {
          if (answer.length === 0) return answer;
          const all = await check<object>([...sent, ...answer], restoration.answered);
          const checked = all.slice(sent.length) as Message[];
          return restoration.restoreMessages(withoutWrongSignatures(answer, checked));
        },
        openText: () => openGate(readLastTurn(sent)),
        openAside: () => openGate({}),
        async checkTogether(texts) {
          const together = await scanTogether(texts, pipeline.scan, { signal });
          const decision = evaluatePolicies(policies, together.result, { response: '' });
          if (decision.violation !== undefined) throw new BlockedError(decision.violation);
          return together.marksOf(decision.findings);
        },
      };
    },
  };
}

function requireReversible(owner: string, { redactor, restore = false }: ClientGuardOptions): void {
  if (typeof restore !== 'boolean') {
    throw new TypeError(`${owner}: restore must be true or false; got ${typeOf(restore)}.`);
  }
  if (!restore || redactor === undefined || 'restorer' in redactor) return;
  throw new TypeError(`${owner}: restore needs a redactor that is made by createRedactor().`);
}

function chooseRestoration({ redactor, restore }: ClientGuardOptions): Restoration {
  if (!restore) return keepReplaced(redactor ?? createRedactor());
  const reversible = redactor ?? createRedactor({ style: 'token' });
  return restoreReplaced(reversible as ReversibleRedactor, redactor !== undefined);
}

/** Most texts that an answer may have do not come: a scanner is made for those that do. */
function createGate(createScanner: () => StreamScanner, restoration: Restoration): TextGate {
  let opened: { readonly scanner: StreamScanner; readonly restored: RestoredText } | undefined;
  let passed = '';
  let isOver = false;
  let isRedacted = false;
  const open = () => {
    opened ??= { scanner: createScanner(), restored: restoration.openText() };
    return opened;
  };
  const pass = ({ text, final, decision }: StreamStep, restored: RestoredText): string => {
    isOver ||= final;
    if (decision?.violation !== undefined) throw new BlockedError(decision.violation);
    isRedacted ||= decision?.findings.some(isRedactedAnswer) ?? false;
    const given = restored.feed(text) + (final ? restored.end() : '');
    passed += given;
    return given;
  };
  return {
    async feed(text) {
      if (text === '') return '';
      return pass(await open().scanner.feed(text), open().restored);
    },
    async redact(marks) {
      if (marks.length === 0 || isOver) return;
      isRedacted = true;
      await open().scanner.redact(marks);
    },
    async end() {
      return isOver || opened === undefined
        ? ''
        : pass(await opened.scanner.end(), opened.restored);
    },
    passed: () => passed,
    isRedacted: () => isRedacted,
  };
}

function isRedactedAnswer({ action, field }: DecidedFinding): boolean {
  return action === 'redact' && field === 'response';
}
