import type { Finding } from '@probity/pipeline';
import type { ScanOutcome, ScanRequest } from '../types.ts';

/** A scan whose response comes apart from it. */
export type StreamedScanRequest = Omit<ScanRequest, 'response'> & {
  /** `chat` passes text on by the sentence; see `StreamScannerOptions` of the pipeline. */
  readonly latency?: 'chat' | null | undefined;
};

/** A finding of a stream when it is made; what policies do with it is said at the end. */
export type StreamFinding = Pick<
  Finding,
  'stage' | 'type' | 'score' | 'start' | 'end' | 'nugget' | 'nuggetId'
> & {
  /** `messages` where the scan has messages: the response is the next one. */
  readonly field: 'response' | 'messages';
  /** Present where `field` is `messages`. */
  readonly path?: string;
};

/** What happens in a scan of a stream. */
export type ScanStreamEvent =
  /** The next text that may be passed on, with replacements where a policy redacts. */
  | { readonly type: 'release'; readonly text: string }
  /** Offsets are those of the response as it came. */
  | { readonly type: 'finding'; readonly finding: StreamFinding }
  /** Nothing has come for 15 seconds; for connections that are closed when they are silent. */
  | { readonly type: 'waiting' }
  /** The end, stored: what a scan of the whole response gives, of a blocked one of what came until then. */
  | { readonly type: 'final'; readonly outcome: ScanOutcome };
