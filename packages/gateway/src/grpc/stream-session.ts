import type { CallContext } from '@probity/core';
import type { Finding } from '@probity/pipeline';
import type { GatewayScanner } from '../scanner/scanner.ts';
import type { GatewayStep } from '../scanner/text-stream.ts';
import type { GrpcCaller } from './callers.ts';
import { toStreamRequest } from './scan-requests.ts';
import { toFindings, toScanResponse } from './scan-responses.ts';
import type { WireOpen, WireStreamResponse } from './wire-types.ts';

/** A text that comes in parts over a call of ScanStream. */
export interface StreamSession {
  /** Takes a part; parts are worked off in the order in which they are taken. */
  take(sequence: number, text: string): Promise<void>;
  end(): Promise<void>;
}

/** Where a session's answers go. */
export interface SessionSink {
  readonly send: (answer: WireStreamResponse) => void;
  /** Called once, when the text is over; with the error that has ended it. */
  readonly over: (error?: unknown) => void;
}

/**
 * Opens a text.
 *
 * @throws ProbityError `validation_failed` naming the field at fault
 */
export function openStreamSession(
  scanner: GatewayScanner,
  context: CallContext,
  wire: WireOpen,
  caller: GrpcCaller,
  sink: SessionSink,
): StreamSession {
  const startedAtMs = performance.now();
  const stream = scanner.open(context, toStreamRequest(wire, caller));
  const isPrompt = wire.target === 'TARGET_PROMPT';
  const gathered = new GatheredChunks();
  let isOver = false;
  let last: Promise<void> = Promise.resolve();
  const emit = ({ text, released, findings, summary }: GatewayStep) => {
    const texts = { prompt: wire.prompt, response: gathered.text(), context: wire.context };
    const target = (finding: Finding) => toTarget(finding, isPrompt);
    for (const found of findings) {
      const [finding] = toFindings([found], texts).map((made) => ({ ...made, ...target(found) }));
      if (finding) sink.send({ request_id: wire.request_id, finding });
    }
    if (text !== '') {
      const release = {
        through_sequence: gathered.sequenceAt(released),
        text,
        released_bytes: Buffer.byteLength(gathered.text().slice(0, released)),
      };
      sink.send({ request_id: wire.request_id, release });
    }
    if (summary === null) return;
    const durationMs = performance.now() - startedAtMs;
    const { snapshot } = scanner;
    const final = toScanResponse(wire.request_id, summary, texts, { snapshot, durationMs });
    finish();
    sink.send({ request_id: wire.request_id, final });
  };
  const finish = (error?: unknown) => {
    if (isOver) return;
    isOver = true;
    sink.over(error);
  };
  const inTurn = (work: () => Promise<GatewayStep>): Promise<void> => {
    const next = last.then(async () => {
      if (isOver) return;
      try {
        emit(await work());
      } catch (error) {
        finish(error);
        throw error;
      }
    });
    last = next.catch(() => undefined);
    return next;
  };
  return {
    take: (sequence, text) =>
      inTurn(() => {
        gathered.add(sequence, text);
        return stream.feed(text);
      }),
    end: () => inTurn(() => stream.end()),
  };
}

/** What is scanned as a response may be a prompt. */
function toTarget({ field }: Finding, isPrompt: boolean): object {
  return isPrompt && field === 'response' ? { target: 'TARGET_PROMPT' } : {};
}

/** The chunks of a text, and where each of them ends. */
class GatheredChunks {
  #text = '';
  readonly #ends: { readonly sequence: number; readonly end: number }[] = [];
  #passed = 0;

  add(sequence: number, text: string): void {
    this.#text += text;
    this.#ends.push({ sequence, end: this.#text.length });
  }

  text(): string {
    return this.#text;
  }

  /** The last chunk that lies before an offset, which never falls; 0 where there is none. */
  sequenceAt(offset: number): number {
    while ((this.#ends[this.#passed]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#passed++;
    return this.#ends[this.#passed - 1]?.sequence ?? 0;
  }
}
