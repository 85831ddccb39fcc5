import { z } from 'zod';
import { blockedScan, finding, passedScan } from '../schemas.ts';

/** The data of the events of a streamed scan, which name their event. */
export const scanStreamEvent = z
  .union([
    z
      .strictObject({
        event: z.literal('release'),
        text: z.string().describe('The next text that may be passed on, with replacements.'),
      })
      .meta({ id: 'ScanReleaseEvent' }),
    finding
      .omit({ action: true, contextIndex: true, inName: true })
      .extend({ event: z.literal('finding'), field: z.enum(['response', 'messages']) })
      .meta({ id: 'ScanFindingEvent' }),
    passedScan.extend({ event: z.literal('final') }).meta({ id: 'ScanPassedEvent' }),
    blockedScan.extend({ event: z.literal('final') }).meta({ id: 'ScanBlockedEvent' }),
    z
      .strictObject({
        event: z.literal('error'),
        error: z.strictObject({
          code: z.string(),
          message: z.string(),
          statusCode: z.int(),
          details: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
          requestId: z.string(),
        }),
      })
      .meta({ id: 'ScanErrorEvent' }),
  ])
  .meta({ id: 'ScanStreamEvent' });
