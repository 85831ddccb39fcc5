import { requireKnownMembers, typeOf } from '../known-members.ts';
import { lazily } from '../lazy.ts';
import type { Pipeline } from '../pipeline.ts';
import { policiesForPipeline } from '../policy-check.ts';
import type { RedactionMark } from '../redaction/redactor.ts';
import { requireMarks } from '../redaction/redactor.ts';
import type { StreamScannerOptions } from './stream-options.ts';
import { requireStreamOptions, resolveLimits } from './stream-options.ts';
import type { StreamStep, StreamSteps } from './stream-steps.ts';

const OPTIONS: readonly (keyof StreamScannerOptions)[] = [
  ...(['system', 'prompt', 'context', 'policies', 'redactor', 'signal', 'scanned'] as const),
  ...(['holdBack', 'maxHoldBack', 'maxLength', 'maxWork', 'latency'] as const),
];

const withSteps = lazily(() => import('./stream-steps.ts'));

/** Scans a response while it comes in. Calls may overlap; they are worked off in order. */
export interface StreamScanner {
  /**
   * Takes the next part of the response, cut anywhere.
   *
   * @throws StreamTooLongError when the response gets too long; nothing more is passed on
   * @throws ScanCanceledError when the signal aborts
   */
  feed(increment: string): Promise<StreamStep>;
  /**
   * Scans the whole response and returns what is left.
   *
   * @param increment the last part, if it has not been fed
   * @throws StreamTooLongError, ScanCanceledError as `feed` does
   */
  end(increment?: string): Promise<StreamStep>;
  /**
   * Has ranges of the response replaced beside what the policies redact, for what shows only by texts beside it. What
   * has been passed on of them stays.
   *
   * @param marks offsets in the whole response
   */
  redact(marks: readonly RedactionMark[]): Promise<void>;
}

/**
 * Makes a scanner for one response that comes in parts.
 *
 * At the end it gives exactly what a scan of the whole response gives, wherever it was cut. Before,
 * it scans what is new together with the 1,024 units before it, each time that half of `holdBack` has
 * come, and passes on what has `holdBack` units behind it. So a finding is known before any of it is
 * passed on, as long as the finding and what makes it one lie within `holdBack` units (every finding of
 * personal data does) or it is an encoded run of up to `maxHoldBack`. A longer attack, and what only
 * shows in comparison with prompt and context, may be found after its beginning has been passed on.
 *
 * @throws RangeError when a length is no whole number or `holdBack` is larger than `maxHoldBack`
 * @throws PipelineConfigError that names the member of a policy at fault
 * @throws TypeError for what is no pipeline, and for other options of a wrong type or name
 */
export function createStreamScanner(
  pipeline: Pipeline,
  given: StreamScannerOptions = {},
): StreamScanner {
  const options = checkOptions(pipeline, given);
  const limits = resolveLimits(options);
  let opened: StreamSteps | undefined;
  const open = () =>
    withSteps(({ createStreamSteps }) => {
      opened ??= createStreamSteps(pipeline, options, limits);
      return opened;
    });
  let last: Promise<unknown> = Promise.resolve();
  type Work<Made> = (steps: StreamSteps) => Promise<Made> | Made;
  const inTurn = <Made>(work: Work<Made>): Promise<Made> => {
    const next = last.then(() => (opened ? work(opened) : openThen(work)));
    last = next.catch(() => {});
    return next;
  };
  const openThen = async <Made>(work: Work<Made>): Promise<Made> => work(await open());
  const nothingNew = ({ released }: StreamSteps): StreamStep => {
    return { releasable: released, text: '', findings: [], final: false };
  };
  return {
    feed: async (increment) => {
      requireText('feed', increment);
      return inTurn((steps) => steps.take(increment) ?? nothingNew(steps));
    },
    end: async (increment = '') => {
      requireText('end', increment);
      return inTurn((steps) => steps.end(increment));
    },
    redact: async (marks) => {
      requireMarks(marks);
      return inTurn((steps) => steps.redact(marks));
    },
  };
}

function checkOptions(pipeline: Pipeline, given: StreamScannerOptions): StreamScannerOptions {
  if (typeof (pipeline as Pipeline | null)?.scan !== 'function') {
    throw new TypeError('createStreamScanner: pipeline must be made by createPipeline().');
  }
  requireKnownMembers('createStreamScanner', given, OPTIONS);
  requireStreamOptions('createStreamScanner', given);
  if (given.policies === undefined) return given;
  return { ...given, policies: policiesForPipeline(given.policies, pipeline) };
}

function requireText(owner: string, increment: unknown): void {
  if (typeof increment === 'string') return;
  throw new TypeError(`${owner}: expected a text; got ${typeOf(increment)}.`);
}
