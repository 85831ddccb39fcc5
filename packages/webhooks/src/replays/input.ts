import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { eventTypeList } from '../events/catalog.ts';

const time = z.date('must be a valid Date');

/** A recovery in code. */
export const recoveryInput = z.strictObject({ since: time, until: time.optional() });

/** A replay in code; `types` accepts those of the catalog. */
export function replayInput(eventTypes: EventCatalog) {
  return recoveryInput.extend({ types: eventTypeList(eventTypes).optional() });
}
