import type { CallContext, Runtime } from '@probity/core';
import { requireContext, requireKnownOptions } from '@probity/core/internal';
import type {
  CheckOptions,
  Guard,
  GuardedExchange,
  GuardInput,
  GuardSession,
  MessagesInput,
  Pipeline,
  ScanResult,
  StoringGuard,
} from '@probity/pipeline';
import { createGuard } from '@probity/pipeline';
import { rememberScans } from '@probity/pipeline/messages';
import type { Judgment } from '../policies/judge.ts';
import type { ScanContent } from './content.ts';
import type { BegunScan, ScanOptions } from './scan.ts';
import { beginScan, concludeScan, judgeContent } from './scan.ts';
import type { ScanRequest } from './types.ts';

/** Members that a guard stores with each of its scans; see {@link ScanRequest}. */
export type GuardRequest = Pick<ScanRequest, 'policyIds' | 'metadata' | 'aiSystemId'>;

/** Results that one exchange keeps, so that its record needs no further scan. */
const MAX_RESULTS = 2_048;

/** Creates the guards of callers; see `Scans.guard`. */
export function createGuards(runtime: Runtime, options: ScanOptions) {
  return (context: CallContext, request: GuardRequest = {}): StoringGuard => {
    requireContext('guard', context);
    requireKnownOptions('guard', request, ['policyIds', 'metadata', 'aiSystemId']);
    const { principal, requestId, address, confirm } = context;
    // An exchange is stored whether or not the caller is still there.
    const lasting = { principal, requestId, address, confirm };
    const remembered = new WeakMap<Pipeline['scan'], Pipeline['scan']>();

    /** Earlier turns of a conversation are not scanned again, unless the knowledge or context may differ. */
    function rememberingScan(scan: Pipeline['scan']): Pipeline['scan'] {
      const known = remembered.get(scan) ?? rememberScans({ ...options.pipeline, scan });
      remembered.set(scan, known);
      return known;
    }

    async function begin(): Promise<GuardSession> {
      const begun = await beginScan(runtime, options, lasting, request);
      const scan = keepResults(rememberingScan(begun.scan));
      const enforced = begun.chosen.filter(({ mode }) => mode === 'enforce');
      const guard = createGuard({
        pipeline: { ...options.pipeline, scan },
        policies: enforced.map(({ policy }) => policy),
      });
      const store = (exchange: GuardedExchange) =>
        storeExchange(runtime, options, { ...begun, scan }, exchange);
      return { guard, store };
    }

    const check = async (input: GuardInput & Partial<MessagesInput>, given?: CheckOptions) => {
      const session = await begin();
      const result = await session.guard.check(input, given);
      await session.store({ content: contentOf(input), violation: result.violation });
      return result;
    };
    return { begin, check: check as Guard['check'] };
  };
}

function contentOf({
  messages,
  prompt,
  response = '',
  context,
  system,
}: GuardInput & Partial<MessagesInput>): GuardedExchange['content'] {
  return messages ? { messages, context } : { prompt, response, context, system };
}

async function storeExchange(
  runtime: Runtime,
  options: ScanOptions,
  begun: BegunScan,
  { content: given, violation }: GuardedExchange,
): Promise<void> {
  const content: ScanContent = 'messages' in given ? given : { input: given };
  const { redactor } = begun.redaction;
  const judged = await judgeContent(content, begun.scan, { policies: begun.chosen, redactor });
  const { decision } = judged.judgment;
  // A stream is blocked by a part of it, which the whole may not show.
  const judgment: Judgment =
    violation && decision.verdict !== 'blocked'
      ? { ...judged.judgment, decision: { ...decision, verdict: 'blocked', violation } }
      : judged.judgment;
  const prepared = await concludeScan(runtime, options, begun, { ...judged, judgment });
  await prepared.store(begun.context);
}

/** Keeps the results of one exchange with its texts: dropped with it. */
function keepResults(scan: Pipeline['scan']): Pipeline['scan'] {
  const results = new Map<string, ScanResult>();
  return async (input, scanOptions) => {
    const { system, prompt, response, context } = input;
    const key = JSON.stringify([system, prompt, response, context]);
    const known = results.get(key);
    if (known) return known;
    const result = await scan(input, scanOptions);
    if (results.size < MAX_RESULTS) results.set(key, result);
    return result;
  };
}
