import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { usageFailure } from '../failure.ts';
import { readChunks } from '../input.ts';
import { openSession } from '../server/session.ts';
import { createProgressLine } from '../terminal/progress.ts';
import { counted, styled, visible } from '../terminal/text.ts';
import type { ChainVerification } from './chain.ts';
import { createChainVerifier } from './chain.ts';
import { readNodes } from './export-lines.ts';

/** Flags of `probity evidence verify`. */
export interface EvidenceVerifyFlags extends ServerFlags {
  readonly expect?: string;
  readonly json?: true;
}

/** What both verifications have in common. */
interface Verification extends Omit<ChainVerification, 'fault'> {
  readonly fault: { readonly sequence: number; readonly reason: string } | null;
}

const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** Verifies the chain on the server, or that of an export on this machine alone. */
export async function verifyEvidence(
  file: string | undefined,
  flags: EvidenceVerifyFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const expected = flags.expect === undefined ? null : parseExpected(flags.expect);
  if (expected && file === undefined) throw usageFailure('--expect goes with a file');
  const verification =
    file === undefined
      ? await verifyOnServer(flags, context)
      : await verifyFile(file, expected, context);
  const { out } = context;
  const text = flags.json ? `${JSON.stringify(verification)}\n` : format(verification, context);
  await out.write(text);
  return verification.valid ? EXIT.ok : EXIT.finding;
}

async function verifyOnServer(flags: ServerFlags, context: CommandContext): Promise<Verification> {
  const { client } = await openSession(flags, context);
  return client.compliance.verifyEvidence({ signal: context.signal });
}

/** The place and hash of a node, as an earlier verification printed its end. */
interface Expected {
  readonly sequence: number;
  readonly hash: string;
}

function parseExpected(text: string): Expected {
  const [, sequence, hash] = /^(\d{1,15}):([\da-f]{64})$/.exec(text) ?? [];
  if (sequence !== undefined && hash !== undefined) return { sequence: Number(sequence), hash };
  throw usageFailure(
    '--expect: expected SEQUENCE:HASH, as an earlier verification printed its end',
  );
}

async function verifyFile(
  file: string,
  expected: Expected | null,
  context: CommandContext,
): Promise<Verification> {
  const progress = createProgressLine(context.err);
  const verifier = createChainVerifier();
  const name = file === '-' ? 'standard input' : file;
  let isExpectedThere = expected === null;
  try {
    for await (const read of readNodes(
      readChunks({ path: file, maxBytes: MAX_BYTES }, context),
      name,
    )) {
      const { node } = read;
      progress.show(`verifying ${node.sequence.toLocaleString('en-US')}`);
      if (!verifier.add(read)) break;
      if (node.sequence === expected?.sequence) isExpectedThere = node.hash === expected.hash;
    }
  } finally {
    progress.clear();
  }
  const verification = verifier.finish();
  if (verification.fault !== null || isExpectedThere || expected === null) return verification;
  const { sequence } = expected;
  const reason = (verification.end?.sequence ?? 0) < sequence ? 'missing' : 'changed';
  return { ...verification, valid: false, fault: { sequence, reason } };
}

const REASONS: Readonly<Record<string, string>> = {
  changed: 'was changed',
  missing: 'is missing',
  unindexed: 'is not found by its labels or its run',
  added: 'was added, or stands in another place',
  unsealed: 'is not the end that was sealed: the chain was cut or made anew',
  lost: 'was appended when the seal of the chain before it was invalid',
};

function format(
  { valid, nodes, records, removedThrough, fault, end }: Verification,
  { out }: CommandContext,
): string {
  const removed =
    removedThrough === 0 ? '' : `, ${counted(removedThrough, 'record')} removed by retention`;
  const counts = visible(
    `${counted(records, 'record')} of ${counted(nodes, 'node')} verified${removed}`,
  );
  if (valid) {
    const last = end === null ? '' : `\nend  ${visible(`${end.sequence}:${end.hash}`)}`;
    return `${styled('intact', 'green', out)}  ${counts}${last}\n`;
  }
  const reason = REASONS[fault?.reason ?? ''] ?? String(fault?.reason);
  const place = visible(`node ${fault?.sequence} ${reason}`);
  return `${styled('broken', 'red', out)}  ${place}; ${counts}\n`;
}
