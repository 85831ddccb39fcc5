import type { Logger } from '@probity/core';
import type { ScanSubject } from '../audit/rows.ts';
import { findAlikeName } from '../http/alike-names.ts';
import { spanOf, traceFields } from '../tracing/tracing.ts';
import type { Checked, CheckParts } from './content-check.ts';
import { checkContent } from './content-check.ts';
import type { Members, RpcError, RpcMessage } from './json-rpc.ts';
import { errorResponse, isMembers, isRequest, RPC_CODES } from './json-rpc.ts';
import type { ReadTools, RefusedTools, ToolScope } from './refused-tools.ts';
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

/** Why a call of a tool is refused without a scan. */
const TOOL_REASONS = {
  alike: 'members of the call differ in letter case alone',
  poisoned: 'the description of the tool was refused',
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
  const called = new Map<unknown, string>();
  const subjectOf = (of: Side, message: RpcMessage): McpSubject => {
    const { id, method } = message;
    const tool = called.get(id);
    return {
      ...{ kind: 'mcp', of, server: serverId, method: methodOf(message) },
      ...(tool !== undefined && (method === 'tools/call' || method === undefined) && { tool }),
    };
  };
  const guard = async (side: Side, message: RpcMessage): Promise<GuardedMessage> => {
    const about = subjectOf(side, message);
    const checked = await checkMessage(message, { ...parts, check: () => ({ ...check(), about }) });
    if ('refusal' in checked) {
      report(side, message, checked.refusal);
      return refused(message, checked.refusal);
    }
    return { forward: checked.message, answer: null, refusal: null };
  };
  return {
    async fromClient(message) {
      if (message.method !== 'tools/call') return guard('client', message);
      const params = isMembers(message.params) ? message.params : {};
      if (typeof params.name === 'string') {
        called.set(message.id, WORD.test(params.name) ? params.name : 'other');
      }
      const alike = findAlikeName(params);
      const isOpen = alike === undefined && mayUse()(params.name);
      const isPoisoned = isOpen && (await isRefused(params.name, parts));
      if (isOpen && !isPoisoned) return guard('client', message);
      const reason =
        alike === undefined
          ? TOOL_REASONS[isPoisoned ? 'poisoned' : 'unlisted']
          : TOOL_REASONS.alike;
      recordRefusal(check(), subjectOf('client', message), reason);
      const refusal = { code: RPC_CODES.invalidParams, message: refusalOf(params.name, alike) };
      report('client', message, refusal);
      return refused(message, refusal);
    },
    fromServer: (message) => guard('server', message),
  };
}

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
  const response = errorResponse(message.id, refusal);
  if (isRequest(message)) return { forward: null, answer: response, refusal };
  return { forward: message.method === undefined ? response : null, answer: null, refusal };
}

type CheckedMessage = { readonly message: RpcMessage } | { readonly refusal: RpcError };

async function checkMessage(message: RpcMessage, parts: MessageParts): Promise<CheckedMessage> {
  const { result, params, error } = message;
  if (isMembers(result) && LISTS.some((name) => Array.isArray(result[name]))) {
    const checked = await checkLists(result, parts);
    return 'refusal' in checked ? checked : { message: { ...message, result: checked.value } };
  }
  for (const [name, value] of Object.entries({ params, result, error })) {
    if (value === undefined) continue;
    const checked = await checkContent(value, parts.check());
    return 'refusal' in checked ? checked : { message: { ...message, [name]: checked.value } };
  }
  return { message };
}

/** Of lists only the entries at fault are left out: one poisoned description does not take all tools away. */
async function checkLists(result: Members, parts: MessageParts) {
  const { check, mayUse, refusedTools } = parts;
  const read: SortedTools = { refused: [], unread: [], passed: [] };
  const tools =
    Array.isArray(result.tools) && result.tools.filter((tool) => isNamed(tool, mayUse()));
  const allowed = tools === false ? result : { ...result, tools };
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
  const rest = await checkContent(Object.fromEntries(others), check());
  if ('refusal' in rest) return rest;
  return { value: { ...(rest.value as Members), ...lists } };
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
