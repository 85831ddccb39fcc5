import type { FieldError } from '@probity/core';
import { validationError } from '@probity/core';
import type {
  DecidedFinding,
  Finding,
  Pipeline,
  PolicyDecision,
  Redactor,
  ScanInput,
  ScanResult,
} from '@probity/pipeline';
import type { ScannedMessages, TextPlace } from '@probity/pipeline/messages';
import { messageFaults, scanMessages } from '@probity/pipeline/messages';
import type { Applicable, Judgment } from '../policies/judge.ts';
import { judge } from '../policies/judge.ts';
import { hideNames, toTextPath } from './text-path.ts';
import type { RedactedContent, ScanFinding, ScanRequest, SkippedPart } from './types.ts';

/** Largest numbers of messages and of texts in them: names, numbers and texts of tool calls count one each. */
export const MAX_MESSAGES = 10_000;
export const MAX_TEXTS = 100_000;
/** Parts of messages that are listed as not scanned. */
const MAX_SKIPPED = 1_000;

/** A prompt, a response and passages, or a conversation. */
export type ScanContent = TextContent | MessageContent;

interface TextContent {
  readonly input: ScanInput;
  readonly messages?: undefined;
}

interface MessageContent {
  readonly input?: undefined;
  readonly messages: readonly object[];
  readonly context?: readonly string[] | undefined;
}

/** A content that was scanned. */
export interface ScannedContent {
  readonly result: ScanResult;
  /** Parts of messages that have no text; empty for texts. */
  readonly skipped: readonly SkippedPart[];
  judge(policies: readonly Applicable[], redactor: Redactor): Judgment;
  /** The findings as they are returned and stored. */
  toFindings(findings: readonly DecidedFinding[]): ScanFinding[];
  /** The content with replacements; null where nothing is redacted. */
  redact(decision: PolicyDecision, redactor: Redactor): Promise<RedactedContent | null>;
}

/**
 * The content of a request. The pipeline checks the types of texts: a dropped text would not be scanned.
 * @throws ProbityError `validation_failed` with every fault of messages, or for messages beside texts
 */
export async function toContent(request: ScanRequest): Promise<ScanContent> {
  const { prompt, response, context, messages } = request;
  const passages = (typeof context === 'string' ? [context] : context) ?? undefined;
  if ((messages ?? null) === null) {
    // The pipeline takes members that are undefined for absent ones.
    return {
      input: { prompt: prompt ?? undefined, response: response as string, context: passages },
    };
  }
  const faults = await faultsOfContent(request);
  if (faults.length > 0) throw validationError(...faults);
  return { messages: messages as readonly object[], context: passages };
}

const NO_RESPONSE =
  "is required: give the model's response, or '' with a prompt to scan the prompt alone; or give messages in its place";

/** Lists the faults of a request that has its response; an empty one is scanned with a prompt only. */
export function faultsOfWhole(request: GivenContent): FieldError[] {
  const faults = faultsOfForm(request);
  const hasPrompt = typeof request.prompt === 'string' && request.prompt !== '';
  if (request.response !== '' || hasPrompt || faults.length > 0) return faults;
  const message = "must not be empty without a prompt; with a prompt, '' scans the prompt alone";
  return [{ field: 'response', message }];
}

type GivenContent = Pick<ScanRequest, 'prompt' | 'response' | 'messages'>;

/** Lists the faults of prompt, response and messages but for the messages themselves. */
export function faultsOfForm({ prompt, response, messages }: GivenContent): FieldError[] {
  const isGiven = (value: unknown) => (value ?? null) !== null;
  if (!isGiven(messages)) {
    return isGiven(response) ? [] : [{ field: 'response', message: NO_RESPONSE }];
  }
  const beside = Object.entries({ prompt, response })
    .filter(([, value]) => isGiven(value))
    .map(([field]) => ({ field, message: 'must not be given together with messages' }));
  if (Array.isArray(messages) && messages.length > MAX_MESSAGES) {
    const message = `must have at most ${MAX_MESSAGES} messages`;
    return [...beside, { field: 'messages', message }];
  }
  return beside;
}

/** The same with the faults of the messages, which are read in turns of the event loop. */
export async function faultsOfContent(
  request: GivenContent,
  faultsOf: (request: GivenContent) => FieldError[] = faultsOfForm,
): Promise<FieldError[]> {
  const faults = faultsOf(request);
  const { messages } = request;
  if ((messages ?? null) === null || faults.some(({ field }) => field === 'messages'))
    return faults;
  const found = await messageFaults(messages, { maxTexts: MAX_TEXTS });
  return [...faults, ...found.map(({ path: field, message }) => ({ field, message }))];
}

/**
 * Lists the faults of the messages of requests that no schema has checked yet.
 * @param prefixes for each request the beginning of its fields
 */
export async function faultsOfMessages(
  requests: readonly unknown[],
  prefixes: readonly string[],
): Promise<FieldError[]> {
  const faults: FieldError[] = [];
  for (const [index, request] of requests.entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const messages: unknown = (request as { readonly messages?: unknown } | null)?.messages;
    if (!Array.isArray(messages) || messages.length > MAX_MESSAGES) continue;
    for (const { path, message } of await messageFaults(messages, { maxTexts: MAX_TEXTS })) {
      faults.push({ field: (prefixes[index] ?? '') + path, message });
    }
  }
  return faults;
}

const MAX_FAULTS = 100;

/**
 * Scans a content.
 * @throws TypeError for a text that is not a string
 * @throws ScanCanceledError when the signal aborts
 */
export async function scanContent(
  content: ScanContent,
  scan: Pipeline['scan'],
  options: Parameters<Pipeline['scan']>[1],
): Promise<ScannedContent> {
  return content.messages === undefined
    ? ofTexts(content.input, await scan(content.input, options))
    : ofMessages(await scanMessages(content, scan, options));
}

/** The same content with another response: of a conversation the next message. */
export function withResponse(content: ScanContent, response: string): ScanContent {
  if (!content.messages) return { input: { ...content.input, response } };
  const answer = { role: 'assistant', content: response };
  return { ...content, messages: [...content.messages, answer] };
}

/** What a stream has found in the response of a content. */
export function foundInResponse(content: ScanContent, result: ScanResult): ScannedContent {
  if (!content.messages) return ofTexts(content.input, result);
  const last = content.messages.length - 1;
  const keys = ['messages', last, 'content'];
  const placeOf = () => ({ messageIndex: last, partIndex: null, keys, isName: false });
  return ofMessages({ result, skipped: [], placeOf, redact: async () => content.messages });
}

function ofTexts(input: ScanInput, result: ScanResult): ScannedContent {
  return {
    result,
    skipped: [],
    judge: (policies, redactor) => judge(policies, result, input, redactor),
    // Those in instructions are judged, and not the caller's.
    toFindings: (findings) =>
      findings.flatMap(({ reason: _, field, ...finding }) =>
        field === 'system' ? [] : [{ ...finding, field }],
      ),
    redact: async ({ redacted }) =>
      redacted ? { prompt: redacted.prompt, response: redacted.response } : null,
  };
}

/** The texts of messages are replaced by message, so policies need none. */
const NO_TEXT = Object.freeze({ response: '' });

function ofMessages(scanned: Omit<ScannedMessages, 'matchedText'>): ScannedContent {
  // What is redacted in a passage is not passed on; what a tool gave is, whatever the stages read it as.
  const findings = scanned.result.findings.map((found): Finding => {
    const isPassage = scanned.placeOf(found).messageIndex === null;
    return { ...found, field: isPassage ? 'context' : 'response' };
  });
  const result = { ...scanned.result, findings };
  // A name with a value of something must not be repeated in the path of a finding.
  const hide = hideNames(
    findings.map((found) => ({ ...scanned.placeOf(found), start: found.start, end: found.end })),
  );
  const pathOf = ({ keys }: Pick<TextPlace, 'keys'>) => toTextPath(hide(keys).slice(1));
  return {
    result,
    skipped: scanned.skipped
      .slice(0, MAX_SKIPPED)
      .map(({ type, ...place }) => ({ path: pathOf(place), type })),
    judge: (policies) => judge(policies, result, NO_TEXT),
    toFindings: (decided) =>
      decided.map((found) => {
        const place = scanned.placeOf(found);
        return toFinding(found, place, pathOf(place));
      }),
    redact: async ({ redacted, findings: decided }, redactor) =>
      redacted ? { messages: await scanned.redact(decided, redactor) } : null,
  };
}

function toFinding(found: DecidedFinding, { keys, isName }: TextPlace, path: string): ScanFinding {
  const { stage, type, score, nugget, nuggetId, start, end, action } = found;
  const statement = {
    ...(nugget === undefined ? {} : { nugget }),
    ...(nuggetId === undefined ? {} : { nuggetId }),
  };
  const [root, index] = keys;
  const place =
    root === 'context'
      ? ({ field: 'context', contextIndex: Number(index) } as const)
      : ({ field: 'messages', path } as const);
  return {
    ...{ stage, type, score },
    ...place,
    ...(isName ? { inName: true } : {}),
    ...statement,
    ...{ start, end, action },
  };
}
