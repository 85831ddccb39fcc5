import type { CallContext } from '@probity/core';
import { ProbityError } from '@probity/core';
import { ScanCanceledError, violationInWords } from '@probity/pipeline';
import { parseJsonInTurns, writeJsonInTurns } from '@probity/pipeline/protocols';
import type { ScanSubject } from '../audit/rows.ts';
import type { McpServerConfig } from '../config/mcp-keys.ts';
import type { GatewayScanner } from '../scanner/scanner.ts';
import type { ScanOrigin } from '../snapshot/allowlists.ts';
import { takeBinaries } from './binaries.ts';
import type { RpcError } from './json-rpc.ts';
import { isMembers, RPC_CODES } from './json-rpc.ts';
import type { TextRun } from './text-runs.ts';
import { setRuns, textRunsOf } from './text-runs.ts';

/** What scans the texts of one call. */
export interface CheckParts {
  readonly scanner: GatewayScanner;
  readonly context: CallContext;
  readonly origin: ScanOrigin;
  readonly server: McpServerConfig;
  /** What is recorded of the message. */
  readonly about: ScanSubject;
}

/** What may be passed on, or why nothing may. */
export type Checked = { readonly value: unknown } | { readonly refusal: RpcError };

/**
 * Scans every text of a JSON value: strings, numbers and names of members.
 *
 * @returns the value, with personal data replaced where the configuration says so; a refusal where it is blocked
 *   or could not be scanned
 * @throws ScanCanceledError when the caller has gone
 */
export async function checkContent(value: unknown, parts: CheckParts): Promise<Checked> {
  const textual = takeBinaries(value);
  if (textual.binaries > 0 && parts.server.binary === 'refuse') {
    return { refusal: { code: RPC_CODES.blocked, message: 'Contents without text are refused.' } };
  }
  if (textual.texts.length > 0) {
    // In Base64 nothing can be replaced.
    const inner = await scanValue(textual.texts, parts, 'off');
    if ('refusal' in inner) return inner;
  }
  if (isEmpty(textual.value)) return { value };
  const checked = await scanValue(textual.value, parts, parts.server.redact);
  return 'refusal' in checked ? checked : { value: textual.restore(checked.value) };
}

/** Why texts may not be passed on that cannot be replaced; null where they may. */
export async function checkWords(
  texts: readonly string[],
  parts: CheckParts,
): Promise<RpcError | null> {
  if (texts.length === 0) return null;
  const checked = await scanValue(texts, parts, 'off');
  return 'refusal' in checked ? checked.refusal : null;
}

async function scanValue(
  value: unknown,
  { scanner, context, origin, about }: CheckParts,
  redact: McpServerConfig['redact'],
): Promise<Checked> {
  // Scanned as what a model writes to a tool: the pipeline then looks at every value and name in the JSON.
  const call = { name: 'mcp', arguments: await writeJsonInTurns({ value }) };
  const message = {
    role: 'assistant',
    tool_calls: [{ id: '1', type: 'function', function: call }],
  };
  // What is split over two texts that a client puts together stands in neither.
  const runs = textRunsOf(value);
  const joined = runs.map(({ texts }) => ({
    role: 'tool',
    content: texts.map(({ text }) => ({ type: 'text', text })),
  }));
  try {
    const { decided, summary } = await scanner.scan(context, {
      content: { messages: [message, ...joined], redaction: redact === 'off' ? undefined : redact },
      origin,
      about,
    });
    if (summary.violation !== null) {
      const { code, reason, policyId } = summary.violation;
      const data = { code, policy_id: policyId, violation_reason: reason };
      const text = `Blocked by the gateway: ${violationInWords(summary.violation)}.`;
      return { refusal: { code: RPC_CODES.blocked, message: text, data } };
    }
    return { value: decided.redacted === null ? value : await replacedIn(decided.redacted, runs) };
  } catch (error) {
    if (error instanceof ScanCanceledError) throw error;
    const reason = error instanceof ProbityError ? error.message : 'an internal error';
    const text = `The gateway could not scan the message: ${reason}`;
    return { refusal: { code: RPC_CODES.internal, message: text } };
  }
}

async function replacedIn(redacted: unknown, runs: readonly TextRun[]): Promise<unknown> {
  const { messages } = redacted as {
    readonly messages: readonly [
      { tool_calls: [{ function: { arguments: string } }] },
      ...{ content: readonly { text: string }[] }[],
    ];
  };
  const [call, ...joined] = messages;
  const json = call.tool_calls[0].function.arguments;
  const { value } = (await parseJsonInTurns(json)) as { value: unknown };
  const texts = joined.map(({ content }) => content.map(({ text }) => text));
  setRuns(value, runs, texts);
  return value;
}

/** Whether there is nothing in a value that could be scanned. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (isMembers(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || typeof value === 'boolean';
}
