import { BlockedError } from '../errors.ts';
import type { Guard } from '../guard.ts';
import { createGuard } from '../guard.ts';
import { requireKnownMembers } from '../known-members.ts';
import { readLastTurn } from '../messages/check-messages.ts';
import { DEFAULT_MAX_WORK } from '../stream/stream-options.ts';
import type { StreamScanner } from '../stream/stream-scanner.ts';
import { createStreamScanner } from '../stream/stream-scanner.ts';
import type { StreamStep } from '../stream/stream-steps.ts';

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
}

/** Guards the calls of a client, whatever its protocol. */
export interface AnswerGuard {
  /**
   * The messages that may be sent.
   *
   * @throws BlockedError where a policy blocks
   * @throws TypeError for messages of a wrong form
   */
  checkRequest<Message extends object>(
    messages: readonly Message[],
    signal?: AbortSignal,
  ): Promise<readonly Message[]>;
  /** The messages of an answer to `asked` that may be passed on. Throws as `checkRequest` does. */
  checkAnswer<Message extends object>(
    asked: readonly object[],
    answer: readonly Message[],
    signal?: AbortSignal,
  ): Promise<readonly Message[]>;
  /** Guards one text of a streamed answer to `asked`. */
  openText(asked: readonly object[], signal?: AbortSignal): TextGate;
  /** The same for a text that claims nothing, such as the reasoning before an answer. */
  openAside(signal?: AbortSignal): TextGate;
}

/** A text that is passed on as far as it is settled. */
export interface TextGate {
  /**
   * Takes the next part and gives what may be passed on now.
   *
   * @throws BlockedError where a policy blocks; nothing of the finding was passed on
   */
  feed(text: string): Promise<string>;
  /** Gives the rest; empty when it has ended already. Throws as `feed` does. */
  end(): Promise<string>;
  /** All that was passed on. */
  passed(): string;
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
  requireKnownMembers(owner, options, ['guard', 'maxWork', 'holdBack', ...further]);
  const { guard = createGuard(), maxWork = DEFAULT_MAX_WORK, holdBack } = options;
  const { pipeline, policies } = guard;
  const open = (given: object, signal: AbortSignal | undefined): TextGate =>
    createGate(() =>
      createStreamScanner(pipeline, { ...given, policies, maxWork, holdBack, signal }),
    );
  async function check<Message extends object>(
    messages: readonly Message[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Message[]> {
    const checked = await guard.check({ messages }, { signal });
    if (checked.violation !== null) throw new BlockedError(checked.violation);
    return checked.messages as readonly Message[];
  }
  // Wrong options are errors now, rather than at the first stream.
  createStreamScanner(pipeline, { maxWork, holdBack });
  return {
    checkRequest: check,
    async checkAnswer<Message extends object>(
      asked: readonly object[],
      answer: readonly Message[],
      signal?: AbortSignal,
    ) {
      if (answer.length === 0) return answer;
      const all = await check<object>([...asked, ...answer], signal);
      return all.slice(asked.length) as Message[];
    },
    openText: (asked, signal) => open(readLastTurn(asked), signal),
    openAside: (signal) => open({}, signal),
  };
}

/** Most texts that an answer may have do not come: a scanner is made for those that do. */
function createGate(createScanner: () => StreamScanner): TextGate {
  let scanner: StreamScanner | undefined;
  let passed = '';
  let isOver = false;
  const pass = ({ text, final, decision }: StreamStep): string => {
    isOver ||= final;
    if (decision?.violation !== undefined) throw new BlockedError(decision.violation);
    passed += text;
    return text;
  };
  return {
    async feed(text) {
      if (text === '') return '';
      scanner ??= createScanner();
      return pass(await scanner.feed(text));
    },
    end: async () => (isOver || scanner === undefined ? '' : pass(await scanner.end())),
    passed: () => passed,
  };
}
