import type { Logger } from '@probity/core';
import { keepNumbers } from '@probity/pipeline/protocols';
import type { ScanSubject } from '../audit/rows.ts';
import { findAlikeName } from '../http/alike-names.ts';
import { spanOf, traceFields } from '../tracing/tracing.ts';
import type { Checked, CheckParts } from './content-check.ts';
import { checkContent, checkWords } from './content-check.ts';
import { headerWordsOf, isClientMethod, wordsOf } from './envelope.ts';
import type { Members, RpcError, RpcMessage } from './json-rpc.ts';
import { errorResponse, idOf, isMembers, isRequest, RPC_CODES } from './json-rpc.ts';
import type { ReadTools, RefusedTools, ToolScope } from './refused-tools.ts';
import { withFittingContent, withoutOutputSchemas } from './structured-content.ts';
import type { ToolTest } from './tools.ts';

/** What becomes of a message. */
interface GuardedMessage {
  /** What goes on to the other side; null for nothing. */
  readonly forward: Members | null;
  /** What its sender is answered in place of the other side; null for nothing. */
  readonly answer: Members | null;
  /** Why the message does not go on as it came. */
  readonly refusal: RpcError | null;
}

/** Looks at the messages between an MCP client and a server. */
export interface McpGuard {
  fromClient(message: RpcMessage): Promise<GuardedMessage>;
  fromServer(message: RpcMessage): Promise<GuardedMessage>;
  /** Why the headers of a client may not go on; null where they may. */
  fromHeaders(headers: Readonly<Record<string, unknown>>): Promise<RpcError | null>;
}

/** Dependencies of a guard. */
export interface GuardParts {
  /** What scans each message: that of a long stream changes with reloads. */
  readonly check: () => Omit<CheckParts, 'about'>;
  readonly mayUse: () => ToolTest;
  readonly serverId: string;
  readonly refusedTools: RefusedTools;
  /** Of the session, as the client knows it. */
  readonly sessionId: string | undefined;
  readonly logger: Logger;
}

type Side = 'client' | 'server';
type McpSubject = Extract<ScanSubject, { kind: 'mcp' }>;

/** What a message is checked with. */
interface MessageParts extends Omit<GuardParts, 'check'> {
  readonly check: () => CheckParts;
}

/** Methods and names of tools that are recorded: another one may be any text. */
const WORD = /^[\w./:$-]{1,128}$/;

/** Why a message is refused without a scan. */
const REASONS = {
  form: 'the id or the method has another form than in the protocol',
  alike: 'members of the call differ in letter case alone',
  poisoned: 'the description of the tool was refused',
  method: 'the method is not a known one, and allowed_tools is set',
  unlisted: 'allowed_tools does not have the tool for this API key',
} as const;

/** The lists whose entries are left out one by one. */
const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

/**
 * Creates a guard. It goes by the shape of messages, so that a response that arrives on another stream than its request
 * is guarded as well; what it remembers of a session is held by the primary.
 */
export function createMcpGuard(parts: GuardParts): McpGuard {
  const { check, mayUse, serverId, logger } = parts;
  const report = (side: Side, message: RpcMessage, refusal: RpcError) => {
    const { context } = check();
    const { requestId, principal } = context;
    logger.warn('an MCP message was not passed on', {
      request_id: requestId,
      client_id: principal.keyId,
      ...traceFields(spanOf(context)),
      mcp_server: serverId,
      mcp_from: side,
      mcp_method: methodOf(message),
      error: WORDS[refusal.code] ?? refusal.message,
    });
  };
  // The answer of a tool comes with the call as a rule: then it is known whose it is.
  const called = new Map<string | undefined, string>();
  const subjectOf = (of: Side, message: RpcMessage): McpSubject => {
    const { method } = message;
    const tool = called.get(idOf(message));
    return {
      ...{ kind: 'mcp', of, server: serverId, method: methodOf(message) },
      ...(tool !== undefined && (method === 'tools/call' || method === undefined) && { tool }),
    };
  };
  // Some servers take another spelling of `tools/call` for it.
  const isHidden = ({ method }: RpcMessage) =>
    method !== undefined && check().server.allowed_tools !== undefined && !isClientMethod(method);
  const guard = async (side: Side, message: RpcMessage): Promise<GuardedMessage> => {
    const about = subjectOf(side, message);
    const checkParts = () => ({ ...check(), about });
    const words = wordsOf(message);
    const fault = 'fault' in words ? words.fault : await checkWords(words.texts, checkParts());
    if (fault !== null) {
      if ('fault' in words) recordRefusal(check(), about, REASONS.form);
      report(side, message, fault);
      return unsent(message, fault);
    }
    const checked = await checkMessage(message, { ...parts, check: checkParts });
    if ('refusal' in checked) {
      report(side, message, checked.refusal);
      return refused(message, checked.refusal);
    }
    return { forward: checked.message, answer: null, refusal: null };
  };
  return {
    async fromClient(message) {
      if (message.method !== 'tools/call') {
        if (!isHidden(message)) return guard('client', message);
        const refusal = { code: RPC_CODES.unknownMethod, message: UNKNOWN_METHOD };
        recordRefusal(check(), subjectOf('client', message), REASONS.method);
        report('client', message, refusal);
        return unsent(message, refusal);
      }
      const params = isMembers(message.params) ? message.params : {};
      if (typeof params.name === 'string') {
        called.set(idOf(message), WORD.test(params.name) ? params.name : 'other');
      }
      const alike = findAlikeName(params);
      const isOpen = alike === undefined && mayUse()(params.name);
      const isPoisoned = isOpen && (await isRefused(params.name, parts));
      if (isOpen && !isPoisoned) return guard('client', message);
      const reason =
        alike === undefined ? REASONS[isPoisoned ? 'poisoned' : 'unlisted'] : REASONS.alike;
      recordRefusal(check(), subjectOf('client', message), reason);
      const refusal = { code: RPC_CODES.invalidParams, message: refusalOf(params.name, alike) };
      report('client', message, refusal);
      return refused(message, refusal);
    },
    fromServer: (message) => guard('server', message),
    async fromHeaders(headers) {
      const words = headerWordsOf(headers);
      if ('fault' in words) return words.fault;
      const about = { kind: 'mcp', of: 'client', server: serverId, method: 'other' } as const;
      return checkWords(words.texts, { ...check(), about });
    },
  };
}

const UNKNOWN_METHOD =
  'The gateway does not know the method, and passes on known ones alone where allowed_tools is set.';

/** What records say of a refusal that repeats what was sent. */
const WORDS: Readonly<Record<number, string>> = {
  [RPC_CODES.invalidParams]: 'The tool is not there for this API key.',
};

/** A method as a record names it: a caller may write a text in its place. */
function methodOf({ method }: RpcMessage): string {
  if (method === undefined) return 'response';
  return /^[A-Za-z]\w*(?:\/\w+){0,3}$/.test(method) ? method.slice(0, 100) : 'other';
}

/** @param alike a member that some servers take for another one */
function refusalOf(name: unknown, alike: string | undefined): string {
  if (alike !== undefined) return 'Two members of params differ in letter case alone.';
  const named = typeof name === 'string' ? name : JSON.stringify(name);
  return `The tool ${named} is not there for this API key.`;
}

/** A request is answered, a response becomes an error, a notification goes nowhere. */
function refused(message: RpcMessage, refusal: RpcError): GuardedMessage {
  const response = errorResponse(message, refusal);
  if (isRequest(message)) return { forward: null, answer: response, refusal };
  return { forward: message.method === undefined ? response : null, answer: null, refusal };
}

/** Answers the sender alone, since the id or the method must not go on. */
function unsent(message: RpcMessage, refusal: RpcError): GuardedMessage {
  const answer = isRequest(message) ? errorResponse(message, refusal) : null;
  return { forward: null, answer, refusal };
}

type CheckedMessage = { readonly message: RpcMessage } | { readonly refusal: RpcError };

async function checkMessage(message: RpcMessage, parts: MessageParts): Promise<CheckedMessage> {
  const { result, params, error } = message;
  const isRedacted = parts.check().server.redact !== 'off';
  if (isMembers(result) && LISTS.some((name) => Array.isArray(result[name]))) {
    const checked = await checkLists(result, parts);
    if ('refusal' in checked) return checked;
    const listed = isRedacted ? withoutOutputSchemas(checked.value as Members) : checked.value;
    return { message: keepNumbers({ ...message, result: listed }, message) };
  }
  for (const [name, value] of Object.entries({ params, result, error })) {
    if (value === undefined) continue;
    const checked = await checkContent(value, parts.check());
    if ('refusal' in checked) return checked;
    const isResult = name === 'result' && isMembers(value) && 'structuredContent' in value;
    const fitting =
      isResult && isRedacted ? withFittingContent(value, checked.value as Members) : checked.value;
    return { message: keepNumbers({ ...message, [name]: fitting }, message) };
  }
  return { message };
}

/** Of lists only the entries at fault are left out: one poisoned description does not take all tools away. */
async function checkLists(result: Members, parts: MessageParts) {
  const { check, mayUse, refusedTools } = parts;
  const read: SortedTools = { refused: [], unread: [], passed: [] };
  const tools =
    Array.isArray(result.tools) && result.tools.filter((tool) => isNamed(tool, mayUse()));
  const allowed = tools === false ? result : keepNumbers({ ...result, tools }, result);
  const whole = await checkContent(allowed, check());
  if (!('refusal' in whole)) {
    for (const tool of tools || []) sort(read, tool, whole);
    await refusedTools.note(scopeOf(parts), read);
    return whole;
  }
  const kept: Record<string, unknown> = { ...allowed };
  for (const name of LISTS) {
    const entries = kept[name];
    if (!Array.isArray(entries)) continue;
    const passed: unknown[] = [];
    for (const entry of entries as unknown[]) {
      const checked = await checkContent(entry, check());
      if (!('refusal' in checked)) passed.push(checked.value);
      if (name === 'tools') sort(read, entry, checked);
    }
    kept[name] = passed;
  }
  await refusedTools.note(scopeOf(parts), read);
  const lists = Object.fromEntries(
    LISTS.flatMap((name) => (name in kept ? [[name, kept[name]]] : [])),
  );
  const others = Object.entries(kept).filter(([name]) => !(name in lists));
  const rest = await checkContent(keepNumbers(Object.fromEntries(others), result), check());
  if ('refusal' in rest) return rest;
  const members = rest.value as Members;
  return { value: keepNumbers({ ...members, ...lists }, members) };
}

function isNamed(tool: unknown, mayUse: ToolTest): boolean {
  return isMembers(tool) && mayUse(tool.name);
}

type SortedTools = { readonly [Kind in keyof ReadTools]: string[] };

/** @param checked what became of the entry */
function sort(read: SortedTools, entry: unknown, checked: Checked): void {
  if (!isMembers(entry) || typeof entry.name !== 'string') return;
  if (!('refusal' in checked)) read.passed.push(entry.name);
  else if (checked.refusal.code === RPC_CODES.blocked) read.refused.push(entry.name);
  else read.unread.push(entry.name);
}

function scopeOf({
  check,
  serverId,
  sessionId,
}: Pick<GuardParts, 'check' | 'serverId' | 'sessionId'>): ToolScope {
  return { serverId, sessionId, keyId: check().context.principal.keyId };
}

/** Whether the session was not shown a tool for what its description says. */
async function isRefused(name: unknown, parts: GuardParts): Promise<boolean> {
  return typeof name === 'string' && parts.refusedTools.isRefused(scopeOf(parts), name);
}

/** Records a message that was refused without a scan. */
function recordRefusal(
  { scanner, context }: Pick<CheckParts, 'scanner' | 'context'>,
  about: McpSubject,
  reason: string,
): void {
  const { snapshot, reporting } = scanner;
  const { requestId, principal, address } = context;
  reporting.audit.scan(
    snapshot.config,
    reporting.personal,
    { requestId, clientId: principal.keyId, userId: undefined, address },
    {
      ...{ result: 'blocked', isDegraded: false, durationMs: 0, configHash: snapshot.hash },
      ...{ reason, about, bypass: null, scores: {}, findings: [], omitted: 0 },
    },
  );
}
