import type { CallContext } from '@probity/core';
import { isPlainIdentifier, runInTurns } from '@probity/pipeline/messages';
import type { PreparedScan, PrepareScan } from '../scans/scan.ts';
import type { DoorOutcome, DoorProtocol, DoorScan } from './types.ts';

/** Scans for gateways that have a protocol of their own. */
export interface Doors {
  /**
   * Answers the request of a gateway in its own protocol. Each scan is stored as a single one is, with its alert and
   * events, by the policies of the caller's organization and key.
   * @throws ProbityError as `scan` does
   */
  answer<Body, Answer>(
    context: CallContext,
    protocol: DoorProtocol<Body, Answer>,
    body: Body,
  ): Promise<Answer>;
}

/** Creates the layer between the protocols of gateways and scans. */
export function createDoors({ prepare }: { readonly prepare: PrepareScan }): Doors {
  return {
    async answer(context, protocol, body) {
      const request = await runInTurns(protocol.read(body));
      const decided: Decided[] = [];
      for (const scan of request.scans) {
        const canReplace = (masked: readonly object[]) => request.canReplace?.(masked) ?? true;
        decided.push(await decide(prepare, context, protocol.name, scan, canReplace));
      }
      // All or none: an error in a later one must not leave records of a request that was not answered.
      for (const { prepared } of decided) await prepared?.store(context);
      return request.write(decided.map(({ outcome }) => outcome));
    },
  };
}

interface Decided {
  readonly outcome: DoorOutcome;
  readonly prepared: PreparedScan | null;
}

const CANNOT_REPLACE = 'a policy redacts a part of the content that this gateway cannot replace';

async function decide(
  prepare: PrepareScan,
  context: CallContext,
  gateway: string,
  { messages, metadata }: DoorScan,
  canReplace: (masked: readonly object[]) => boolean,
): Promise<Decided> {
  if (messages.length === 0) {
    return { outcome: { blocked: null, masked: null, scan: null }, prepared: null };
  }
  const prepared = await prepare(context, {
    messages,
    metadata: { gateway, ...identifiersOf(metadata) },
  });
  const { scan, redacted } = prepared.outcome;
  const masked = redacted && 'messages' in redacted ? redacted.messages : null;
  const fixed = masked && !canReplace(masked) ? CANNOT_REPLACE : null;
  const blocked = scan.violation?.reason ?? fixed;
  return { outcome: { blocked, masked: blocked === null ? masked : null, scan }, prepared };
}

/** The tags that are identifiers: a text that a client of the gateway wrote must not be stored with the scan. */
function identifiersOf(metadata: DoorScan['metadata']): DoorScan['metadata'] {
  return Object.fromEntries(Object.entries(metadata).filter(([, tag]) => isPlainIdentifier(tag)));
}
