import type { BlockedScan, ProbityApi, Scan, ScanRequest } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { usageFailure } from '../failure.ts';
import { readText } from '../input.ts';
import { openSession } from '../server/session.ts';
import { formatScan } from './report.ts';

/** Flags of `probity scan`. */
export interface ScanFlags extends ServerFlags {
  readonly prompt?: string;
  readonly input?: 'text' | 'json';
  readonly policy?: readonly string[];
  readonly failOn: 'blocked' | 'flagged' | 'never';
  readonly format?: 'table' | 'json';
  readonly json?: true;
}

/** What is printed as JSON: the scan of the server, or why it is blocked. */
export type ScanVerdict =
  | Scan
  | (BlockedScan['governance'] & { readonly code: string; readonly message: string });

/** The largest body that the server takes. */
const MAX_BYTES = 10_485_760;

/** Scans a text, and exits with 1 for the verdict of `--fail-on` or a worse one. */
export async function scan(
  file: string | undefined,
  flags: ScanFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, signal, stdin } = context;
  if (file === undefined && stdin.isTTY) {
    throw usageFailure('name a file, or give the text on standard input');
  }
  const session = await openSession(flags, context);
  const request = await readRequest(file ?? '-', flags, context);
  const verdict = await verdictOf(session.client, request, signal);
  const isTable = flags.format === 'table' || (!flags.format && !flags.json && out.isTerminal);
  await out.write(isTable ? formatScan(verdict, request, out) : `${JSON.stringify(verdict)}\n`);
  const failing = { blocked: ['blocked'], flagged: ['blocked', 'flagged'], never: [] };
  const isFinding = (failing[flags.failOn] as readonly string[]).includes(verdict.verdict);
  return isFinding ? EXIT.finding : EXIT.ok;
}

async function readRequest(
  path: string,
  { prompt, input, policy }: ScanFlags,
  context: CommandContext,
): Promise<ScanRequest> {
  if (path === '-' && prompt === '-') {
    throw usageFailure('--prompt: standard input has the response already');
  }
  const text = await readText({ path, maxBytes: MAX_BYTES }, context);
  const isJson = input === 'json' || (input === undefined && path.toLowerCase().endsWith('.json'));
  const policies = policy === undefined ? {} : { policyIds: [...policy] };
  if (isJson) {
    if (prompt !== undefined) throw usageFailure('--prompt: the JSON names the prompt itself');
    return { ...parseRequest(text, path), ...policies };
  }
  const asked: { readonly prompt?: string } =
    prompt === undefined
      ? {}
      : { prompt: await readText({ path: prompt, maxBytes: MAX_BYTES }, context) };
  if (text === '' && !asked.prompt) {
    throw usageFailure('there is nothing to scan: text and prompt are empty');
  }
  return { ...asked, response: text, ...policies };
}

function parseRequest(text: string, path: string): ScanRequest {
  const value = tryParse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    // The server checks the members, and names the one that is wrong.
    return value as ScanRequest;
  }
  const name = path === '-' ? 'standard input' : path;
  throw usageFailure(`${name}: expected a JSON object with "response"; --input text scans a text`);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function verdictOf(
  client: ProbityApi,
  request: ScanRequest,
  signal: AbortSignal,
): Promise<ScanVerdict> {
  try {
    return await client.governance.scan(request, { signal });
  } catch (error) {
    const { BlockedError } = await import('@probity/client');
    if (!(error instanceof BlockedError)) throw error;
    return { ...error.governance, code: error.code, message: error.message };
  }
}
