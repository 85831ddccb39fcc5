import type { StreamLimits } from './stream-options.ts';

/** How far a stream has come. UTF-16 units of the response. */
export interface StreamProgress {
  readonly released: number;
  readonly scannedTo: number;
  /** Units that were scanned, those that were scanned twice counted twice. */
  readonly work: number;
}

/**
 * How long the response must be for the next scan on the way. What a scan sees again (the lead and what was
 * held back) is saved up for by leaving as much at the end unscanned, so that the scan at the end is always
 * paid for. Infinity where the end is the next scan.
 */
export function dueLength(progress: StreamProgress, limits: StreamLimits): number {
  const { scannedTo, work } = progress;
  const { holdBack, maxWork, lead } = limits;
  const step = Math.ceil(holdBack / 2);
  if (!Number.isFinite(maxWork)) return scannedTo + step;
  // Steps that grow with the text see fewer parts of it again; more often than this gains nothing.
  const steady = maxWork > 2 ? (lead + holdBack) / (maxWork - 2) : Number.POSITIVE_INFINITY;
  const least = scannedTo === 0 ? 2 * holdBack : Math.max(step, Math.min(scannedTo / 2, steady));
  const end = scannedTo + least;
  return Math.ceil(Math.max(end, (end - seenBefore(progress, limits) + work) / (maxWork - 1)));
}

/** Up to where the response is to be scanned when it has come to its due length. */
export function dueEnd(length: number, progress: StreamProgress, limits: StreamLimits): number {
  const { maxWork } = limits;
  if (!Number.isFinite(maxWork)) return length;
  const left = Math.floor((maxWork - 1) * length) - progress.work;
  return Math.min(length, seenBefore(progress, limits) + left);
}

/** Where the next scan begins. */
function seenBefore({ released }: StreamProgress, { lead }: StreamLimits): number {
  return Math.max(0, released - lead);
}
