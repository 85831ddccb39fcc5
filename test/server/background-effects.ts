import { until } from '@probity/test-support';
import { DOOR_POSTS } from './governance-recipes.ts';
import { withDatabase } from './open-database.ts';

/** Calls that create their own records and change no others. */
export const UNAUDITED: ReadonlySet<string> = new Set([
  'scan',
  'reportUsage',
  ...Object.keys(DOOR_POSTS),
]);

/** What the scans of a batch store in the background. */
const OF_SCANS = ['probity_scans', 'probity_scan_marks', 'probity_alerts', 'probity_events'];

/** Tables that are written in the background after a call, or until it. */
export const WRITTEN_BESIDE: Readonly<Record<string, readonly string[]>> = {
  createScanBatch: OF_SCANS,
  cancelScanBatch: OF_SCANS,
};

/** Waits until the items of all batches have been scanned. */
export function batchesEnd(location: string): Promise<void> {
  const isEmpty = () =>
    withDatabase(location, async (database) => {
      const jobs = await database.kernel(database.reader).countJobs('governance.batch');
      return jobs === 0;
    });
  return until(isEmpty, 'the batches have ended');
}
