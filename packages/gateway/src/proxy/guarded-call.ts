import type { CallContext } from '@probity/core';
import type {
  DecidedFinding,
  Pipeline,
  Policy,
  PolicyDecision,
  Redactor,
  RestoredText,
  ScannedFields,
  ScanResult,
  StreamScanner,
  StreamStep,
} from '@probity/pipeline';
import {
  BlockedError,
  createStreamScanner,
  evaluatePolicies,
  keepScannedFields,
} from '@probity/pipeline';
import { readLastTurn, scanMessages, scanTogether } from '@probity/pipeline/messages';
import type { GuardedCall, Members, TextGate } from '@probity/pipeline/protocols';
import { createIsAsked, withoutWrongSignatures } from '@probity/pipeline/protocols';
import { afterWriting } from '../scanner/after-writing.ts';
import { withDeadline } from '../scanner/deadline.ts';
import type { ScannerOptions } from '../scanner/report.ts';
import { maxHoldBackOf } from '../scanner/text-stream.ts';
import type { Bypass } from '../snapshot/allowlists.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { CallReport } from './call-report.ts';
import { createCallReport, createRecordedUser } from './call-report.ts';
import type { CallTreatment } from './restoration.ts';
import { createUnscanned } from './unscanned.ts';

/** What a call to a model is guarded with. */
export interface ProxyCallOptions {
  readonly snapshot: GatewaySnapshot;
  readonly reporting: ScannerOptions;
  readonly context: CallContext;
  /** Scans, and knows the results of earlier turns. */
  readonly scan: Pipeline['scan'];
  readonly restoration: CallTreatment;
  /** Why the call is not scanned; null where it is. */
  readonly bypass: Bypass | null;
  /** The user that the request names. */
  readonly userId: string | undefined;
  /** Names the model that answers, else the one that was asked for; absent where the gateway does not choose it. */
  readonly model?: () => string;
  readonly asked: readonly object[];
  /** All members of the request but the messages. */
  readonly settings: Members;
}

/** What may be sent to the model. */
export interface CheckedRequest {
  readonly messages: readonly object[];
  /** The given object where nothing of it is replaced. */
  readonly settings: Members;
}

/** A guarded call to a model. */
export interface ProxyCall extends GuardedCall {
  /**
   * Scans the request: messages, and in a scan of their own the other texts. Counts and logs it.
   *
   * @throws BlockedError where the policies block
   * @throws TypeError for messages of a wrong form
   * @throws ProbityError `unavailable` with status 504 when a scan takes too long
   */
  checkWhole(): Promise<CheckedRequest>;
  /** How many parts of the request and of the answer have no text, by type: images, files, what is unknown. */
  readonly unscanned: ReadonlyMap<string, number>;
  /** Counts and logs the answer as one scan; `error` where it ended otherwise than by itself. */
  reportAnswer(error?: unknown): void;
}

/**
 * How many times the length of a streamed answer is scanned in all at most: it is passed on in steps of some
 * hundred characters.
 */
const MAX_WORK = 3;

/** Opens a call: the request, and the answer to it. */
export function openProxyCall(options: ProxyCallOptions): ProxyCall {
  const { snapshot, reporting, context, asked, bypass } = options;
  const policies = bypass === null ? options.restoration.policies.map(({ policy }) => policy) : [];
  const unscanned = createUnscanned(snapshot.config.models.media);
  const user = createRecordedUser(options);
  const answer = createCallReport(options, 'answer', user);
  // The prompt is scanned before it is sent, and again beside its answer.
  const kept = keepScannedFields();
  const limitMs = snapshot.config.server.request_timeout_ms;
  const judge = <Message extends object>(
    messages: readonly Message[],
    from: number,
    { report, redactor, scanned: kept }: JudgeParts,
  ) =>
    withDeadline({ clock: reporting.clock, limitMs }, context, async (signal) => {
      const scanned = await scanMessages({ messages }, options.scan, {
        signal,
        ...(kept && { scanned: kept }),
      });
      const isNew = (index: number | null) => index === null || index >= from;
      const parts = scanned.skipped.filter(({ messageIndex }) => isNew(messageIndex));
      const found = evaluatePolicies(policies, scanned.result, { response: '' });
      const fresh = found.findings.filter((each) => isNew(scanned.placeOf(each).messageIndex));
      const decision = unscanned.decide(ownDecision(policies, found, scanned.result, fresh), parts);
      report.add(decision, scanned.result, fresh, scanned.matchedText);
      if (decision.violation !== undefined) throw new BlockedError(decision.violation);
      return scanned.redact(decision.findings, redactor);
    });
  // The model saw the request with what was replaced in it: its answer is judged by that, with the same tokens.
  let sent = asked;
  let sentSettings = options.settings;
  const checkAnswer = async <Message extends object>(messages: readonly Message[]) => {
    if (messages.length === 0 || bypass !== null) return messages;
    const all = await judge<object>([...sent, ...messages], sent.length, {
      report: answer,
      redactor: options.restoration.answered,
      scanned: kept,
    });
    const checked = withoutWrongSignatures(messages, all.slice(sent.length) as Message[]);
    return options.restoration.restoreMessages(checked);
  };
  const checkWhole = async (): Promise<CheckedRequest> => {
    const report = createCallReport(options, 'request', user);
    const { settings } = options;
    if (bypass !== null) {
      report.finish();
      return { messages: asked, settings };
    }
    try {
      const parts = { report, redactor: options.restoration.asked };
      const judged = await judge(asked, 0, { ...parts, scanned: kept });
      sent = judged;
      const { isRepeatable } = options.restoration;
      const messages = isRepeatable ? judged : withoutWrongSignatures(asked, judged);
      sentSettings = await judgeSettings(settings, (all) => judge(all, 0, parts));
      afterWriting(context, reporting.logger, () => report.finish());
      return { messages, settings: sentSettings };
    } catch (error) {
      report.finish(error);
      throw error;
    }
  };
  const openGate = (given: () => Promise<object>) => {
    const { answered: redactor } = options.restoration;
    return bypass === null
      ? createGate(
          async () => {
            const parts = { policies, redactor, scanned: kept, ...limitsOf(options) };
            const scanned = { ...(await given()), ...parts };
            return createStreamScanner(reporting.informed(snapshot.pipeline), scanned);
          },
          { policies, report: answer },
          options.restoration.openText(),
        )
      : createOpenGate(options.restoration.openText());
  };
  return {
    asked,
    maxHeld: snapshot.config.server.max_payload_size,
    unscanned: unscanned.counts,
    isAsked: createIsAsked(() => [sent, sentSettings]),
    checkWhole,
    checkRequest: async () => (await checkWhole()).messages,
    checkAnswer,
    openText: () => openGate(() => readLastTurn(sent)),
    openAside: () => openGate(async () => ({})),
    async checkTogether(texts) {
      if (bypass !== null) return texts.map(() => []);
      return withDeadline({ clock: reporting.clock, limitMs }, context, async (signal) => {
        const together = await scanTogether(texts, options.scan, { signal });
        const decision = evaluatePolicies(policies, together.result, { response: '' });
        answer.add(decision, together.result, decision.findings, together.matchedText);
        if (decision.violation !== undefined) throw new BlockedError(decision.violation);
        return together.marksOf(decision.findings);
      });
    },
    reportAnswer: (error) => afterWriting(context, reporting.logger, () => answer.finish(error)),
  };
}

/** What a part of a call is judged with. */
interface JudgeParts {
  readonly report: CallReport;
  readonly redactor: Redactor;
  readonly scanned?: ScannedFields;
}

/** An answer is scanned with its request, which has a record of its own: what flags that alone is no cause here. */
function ownDecision(
  policies: readonly Policy[],
  decision: PolicyDecision,
  result: ScanResult,
  own: readonly DecidedFinding[],
): PolicyDecision {
  if (decision.verdict !== 'flagged' || own.length === decision.findings.length) return decision;
  const { verdict } = evaluatePolicies(policies, { ...result, findings: own }, { response: '' });
  return { ...decision, verdict };
}

function limitsOf({ context, snapshot }: ProxyCallOptions) {
  return {
    maxWork: MAX_WORK,
    maxHoldBack: maxHoldBackOf(snapshot),
    maxLength: snapshot.config.server.max_payload_size,
    ...(context.signal && { signal: context.signal }),
  };
}

/** Tools and schemas are no part of the conversation: they are read as what a tool returns, apart from it. */
async function judgeSettings(
  settings: Members,
  judge: (messages: readonly object[]) => Promise<readonly object[]>,
): Promise<Members> {
  if (Object.keys(settings).length === 0) return settings;
  const output = { type: 'json', value: settings };
  const [judged] = (await judge([
    { role: 'tool', content: [{ type: 'tool-result', output }] },
  ])) as readonly { content: readonly [{ output: { value: Members } }] }[];
  return judged?.content[0].output.value ?? settings;
}

/** Most texts that an answer may have do not come: a scanner is made for those that do. */
function createGate(
  createScanner: () => Promise<StreamScanner>,
  { policies, report }: { readonly policies: readonly Policy[]; readonly report: CallReport },
  restorer: RestoredText,
): TextGate {
  let opening: Promise<StreamScanner> | undefined;
  const open = () => {
    opening ??= createScanner();
    return opening;
  };
  // What is found may be recorded with its value; the parts are not copied until then.
  let read = '';
  let passed = '';
  let isOver = false;
  let isRedacted = false;
  const pass = ({ text, final, decision, result }: StreamStep): string => {
    isOver ||= final;
    isRedacted ||= decision?.findings.some(isRedactedAnswer) ?? false;
    if (decision !== undefined && result !== undefined) {
      const own = decision.findings.filter(({ field }) => field === 'response');
      const matched = ({ start, end }: DecidedFinding) => read.slice(start, end);
      report.add(ownDecision(policies, decision, result, own), result, own, matched);
    }
    if (decision?.violation !== undefined) throw new BlockedError(decision.violation);
    const restored = restorer.feed(text) + (final ? restorer.end() : '');
    passed += restored;
    return restored;
  };
  return {
    async feed(text) {
      if (text === '') return '';
      read += text;
      return pass(await (await open()).feed(text));
    },
    async redact(marks) {
      if (marks.length === 0 || isOver) return;
      isRedacted = true;
      await (await open()).redact(marks);
    },
    end: async () => (isOver || opening === undefined ? '' : pass(await (await opening).end())),
    passed: () => passed,
    isRedacted: () => isRedacted,
  };
}

function isRedactedAnswer({ action, field }: DecidedFinding): boolean {
  return action === 'redact' && field === 'response';
}

/** Passes on what is not scanned. */
function createOpenGate(restorer: RestoredText): TextGate {
  let passed = '';
  const pass = (text: string) => {
    passed += text;
    return text;
  };
  return {
    feed: async (text) => pass(restorer.feed(text)),
    redact: async () => {},
    end: async () => pass(restorer.end()),
    passed: () => passed,
    isRedacted: () => false,
  };
}
