import type { Clock } from '@probity/core';
import type { Primary, PrimaryPart } from '../cluster/part.ts';
import type { PlatformLink } from './platform-link.ts';

const PART = 'platform';
/** How long a count waits for others before it is told. */
const BATCH_MS = 20;

/** The part of the primary that counts the scans of all processes for the platform. */
export function createLinkPart(link: Pick<PlatformLink, 'countScan'> | null): PrimaryPart {
  return {
    name: PART,
    take(scans) {
      for (let left = scans as number; left > 0; left--) link?.countScan();
    },
  };
}

/** Counts a scan, as one of several serving processes does it; what is told last is told by `flush`. */
export function connectScanCount(clock: Clock, primary: Primary): { count(): void; flush(): void } {
  let waiting = 0;
  const flush = () => {
    if (waiting > 0) primary.tell(PART, waiting);
    waiting = 0;
  };
  return {
    count() {
      if (waiting === 0) clock.setTimer(flush, BATCH_MS);
      waiting += 1;
    },
    flush,
  };
}
