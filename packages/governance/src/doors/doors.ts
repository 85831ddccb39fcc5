import type { CallContext } from '@probity/core';
import type { Redactor } from '@probity/pipeline';
import type { PreparedScan } from '../scans/conclude.ts';
import type { PrepareScan } from '../scans/prepare.ts';
import { joinTexts, maskParts } from './joined-texts.ts';
import type { DoorOutcome, DoorProtocol, DoorScan, DoorText } from './types.ts';

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
      const decided: Decided[] = [];
      for (const scan of protocol.read(body)) {
        decided.push(await decide(prepare, context, protocol.name, scan));
      }
      // All or none: an error in a later one must not leave records of a request that was not answered.
      for (const { prepared } of decided) await prepared?.store(context);
      return protocol.write(
        body,
        decided.map(({ outcome }) => outcome),
      );
    },
  };
}

interface Decided {
  readonly outcome: DoorOutcome;
  readonly prepared: PreparedScan | null;
}

async function decide(
  prepare: PrepareScan,
  context: CallContext,
  gateway: string,
  { texts, metadata }: DoorScan,
): Promise<Decided> {
  const joined = joinTexts(texts);
  if (joined.length === 0) {
    return { outcome: { blocked: null, masked: null, scan: null }, prepared: null };
  }
  const fields = Object.fromEntries(joined.map(({ use, text }) => [use, text]));
  const masks = new Map<number, string>();
  const prepared = await prepare(
    context,
    { prompt: fields.prompt, response: fields.response ?? '', metadata: { gateway, ...metadata } },
    {
      system: fields.system,
      wrapRedactor: (redactor: Redactor) => maskParts(redactor, joined, masks),
    },
  );
  const { scan } = prepared.outcome;
  const blocked = scan.violation?.reason ?? reasonOfMasks(texts, masks);
  const isMasked = blocked === null && masks.size > 0;
  const masked = isMasked ? texts.map(({ text }, index) => masks.get(index) ?? text) : null;
  return { outcome: { blocked, masked, scan }, prepared };
}

/** Why texts that a policy redacts cannot be passed on redacted; null where they can. */
function reasonOfMasks(
  texts: readonly DoorText[],
  masks: ReadonlyMap<number, string>,
): string | null {
  for (const [index, masked] of masks) {
    const { isFixed, isJson } = texts[index] ?? {};
    if (isFixed || (isJson && !isValidJson(masked))) {
      return 'a policy redacts a part of the content that this gateway cannot replace';
    }
  }
  return null;
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
