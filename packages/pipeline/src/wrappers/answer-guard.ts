import { BlockedError } from '../errors.ts';
import type { Guard } from '../guard.ts';
import { createGuard, requireGuard } from '../guard.ts';
import type { GuardSession, StoringGuard } from '../guard-session.ts';
import { beginSession } from '../guard-session.ts';
import { keepScannedFields } from '../kept-fields.ts';
import { requireKnownMembers, typeOf } from '../known-members.ts';
import { readLastTurn } from '../messages/scan-messages.ts';
import type { TextPiece } from '../messages/scan-together.ts';
import { scanTogether } from '../messages/scan-together.ts';
import { evaluatePolicies } from '../policy.ts';
import type { DecidedFinding, Violation } from '../policy-types.ts';
import type { RedactionMark, Redactor, ReversibleRedactor } from '../redaction/redactor.ts';
import { createRedactor } from '../redaction/redactor.ts';
import type { RestoredText } from '../redaction/token-restorer.ts';
import { paceOf, requireStreamOptions, resolveLimits } from '../stream/stream-options.ts';
import type { StreamScanner } from '../stream/stream-scanner.ts';
import { createStreamScanner } from '../stream/stream-scanner.ts';
import type { StreamStep } from '../stream/stream-steps.ts';
import type { IsAsked } from './asked-texts.ts';
import type { Restoration } from './restoration.ts';
import { keepReplaced, restoreReplaced } from './restoration.ts';
import { withoutWrongSignatures } from './signatures.ts';

/** How the calls of a client are guarded. */
export interface ClientGuardOptions {
  /** Whose pipeline and policies decide, and what stores the exchanges. Default: `createGuard()`. */
  readonly guard?: Guard | StoringGuard | undefined;
  /**
   * How many times the length of a streamed answer is scanned in all at most; see `guardStream`.
   * Default 1.5.
   */
  readonly maxWork?: number | undefined;
  /** `chat`: passes a streamed answer on by the sentence, instead of `maxWork`; see `guardStream`. */
  readonly latency?: 'chat' | undefined;
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
  ): StoredCall<Message>;
}

/** Guards one call: the request and the answer to it. */
export interface GuardedCall<Asked extends object = object> {
  /** The messages as they were given. */
  readonly asked: readonly Asked[];
  /** Whether a text is one of the request as it was sent; absent where that is not known. */
  readonly isAsked?: IsAsked | undefined;
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

/** A call whose exchange the guard may store. */
export interface StoredCall<Asked extends object = object> extends GuardedCall<Asked> {
  /** Stores the exchange where the guard stores; a blocked one is stored already. */
  finish(): Promise<void>;
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
  const known = ['guard', 'maxWork', 'latency', 'holdBack', 'redactor', 'restore', ...further];
  requireKnownMembers(owner, options, known);
  requireGuard(owner, options.guard);
  const { guard = createGuard(), latency, maxWork, holdBack, redactor } = options;
  // Wrong options are errors now, rather than at the first stream.
  requireStreamOptions(owner, { latency, maxWork, redactor });
  requireReversible(owner, options);
  const pace = { ...paceOf(options), holdBack };
  resolveLimits(pace);
  return {
    open<Asked extends object>(asked: readonly Asked[], signal?: AbortSignal): StoredCall<Asked> {
      const restoration = chooseRestoration(options);
      // The request is scanned before it is sent, and again beside its answer.
      const scanned = keepScannedFields();
      const exchange = createExchange(guard, asked);
      // The model saw the request with what was replaced in it: its answer is judged by that, with the same tokens.
      let sent = asked;
      const check = async <Message extends object>(
        messages: readonly Message[],
        redactor: Redactor,
      ): Promise<readonly Message[]> => {
        const session = await exchange.session();
        const checked = await session.guard.check({ messages }, { signal, redactor, scanned });
        if (checked.violation !== null) throw await exchange.block(checked.violation);
        return checked.messages as readonly Message[];
      };
      const openGate = (given: () => Promise<object>, type: 'text' | 'reasoning'): TextGate => {
        const { answered: redactor } = restoration;
        const openScanner = async () => {
          const { pipeline, policies } = (await exchange.session()).guard;
          const scanner = { ...(await given()), ...pace, policies, signal, redactor, scanned };
          return createStreamScanner(pipeline, scanner);
        };
        return createGate(openScanner, restoration, exchange, exchange.openText(type));
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
          exchange.add(answer);
          const all = await check<object>([...sent, ...answer], restoration.answered);
          const checked = all.slice(sent.length) as Message[];
          return restoration.restoreMessages(withoutWrongSignatures(answer, checked));
        },
        openText: () => openGate(() => readLastTurn(sent), 'text'),
        openAside: () => openGate(async () => ({}), 'reasoning'),
        async checkTogether(texts) {
          const { pipeline, policies } = (await exchange.session()).guard;
          const together = await scanTogether(texts, pipeline.scan, { signal });
          const decision = evaluatePolicies(policies, together.result, { response: '' });
          if (decision.violation !== undefined) throw await exchange.block(decision.violation);
          return together.marksOf(decision.findings);
        },
        finish: () => exchange.finish(null),
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

/** The texts of an exchange, kept only where its guard stores. */
interface Exchange {
  session(): Promise<GuardSession>;
  /** Adds messages of the answer as they came. */
  add(answer: readonly object[]): void;
  /** Adds a text that comes in parts, which its receiver adds to. */
  openText(type: 'text' | 'reasoning'): { text: string } | null;
  /** Stores the exchange as a blocked one; the error to throw. */
  block(violation: Violation): Promise<BlockedError>;
  /** Stores the exchange, once. */
  finish(violation: Violation | null): Promise<void>;
}

function createExchange(guard: Guard | StoringGuard, asked: readonly object[]): Exchange {
  const isStored = 'begin' in guard;
  const answer: object[] = [];
  const parts: { readonly type: string; text: string }[] = [];
  let begun: Promise<GuardSession> | undefined;
  let finished: Promise<void> | undefined;
  const session = () => {
    begun ??= beginSession(guard);
    return begun;
  };
  const store = async (violation: Violation | null): Promise<void> => {
    if (!isStored) return;
    const content = parts.filter(({ text }) => text !== '');
    const streamed = content.length > 0 ? [{ role: 'assistant', content }] : [];
    const messages = [...asked, ...streamed, ...answer];
    await (await session()).store({ content: { messages }, violation });
  };
  const finish = (violation: Violation | null) => {
    finished ??= store(violation);
    return finished;
  };
  return {
    session,
    finish,
    add(messages) {
      if (isStored) answer.push(...messages);
    },
    openText(type) {
      if (!isStored) return null;
      const part = { type, text: '' };
      parts.push(part);
      return part;
    },
    async block(violation) {
      await finish(violation);
      return new BlockedError(violation);
    },
  };
}

/** Most texts that an answer may have do not come: a scanner is made for those that do. */
function createGate(
  createScanner: () => Promise<StreamScanner>,
  restoration: Restoration,
  exchange: Exchange,
  received: { text: string } | null,
): TextGate {
  let opening: Promise<StreamScanner> | undefined;
  let restored: RestoredText | undefined;
  let passed = '';
  let isOver = false;
  let isRedacted = false;
  const open = () => {
    opening ??= createScanner();
    return opening;
  };
  const pass = async ({ text, final, decision }: StreamStep): Promise<string> => {
    isOver ||= final;
    if (decision?.violation !== undefined) throw await exchange.block(decision.violation);
    restored ??= restoration.openText();
    isRedacted ||= decision?.findings.some(isRedactedAnswer) ?? false;
    const given = restored.feed(text) + (final ? restored.end() : '');
    passed += given;
    return given;
  };
  return {
    async feed(text) {
      if (text === '') return '';
      if (received) received.text += text;
      return pass(await (await open()).feed(text));
    },
    async redact(marks) {
      if (marks.length === 0 || isOver) return;
      isRedacted = true;
      await (await open()).redact(marks);
    },
    async end() {
      return isOver || opening === undefined ? '' : pass(await (await opening).end());
    },
    passed: () => passed,
    isRedacted: () => isRedacted,
  };
}

function isRedactedAnswer({ action, field }: DecidedFinding): boolean {
  return action === 'redact' && field === 'response';
}
