import type { EventMap, EventType } from '@probity/core';
import { isEventType } from '@probity/core/internal';
import { z } from 'zod';

/** Definition of an event type that customers may subscribe to. */
export interface EventDefinition {
  /** When the event is sent, in one sentence. */
  readonly description: string;
  /** Describes the data, and checks it where the host publishes the event; default: any object. */
  readonly schema?: z.ZodType<object> | undefined;
  /** Example of the data as customers receive it, which the schema accepts. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** The event types that webhooks may list, by name: `noun.verb-in-past`. */
export type EventCatalog = Readonly<Record<string, EventDefinition>>;

/** Definitions of these types, with schemas and examples of their data. */
type Definitions = {
  readonly [Type in EventType]: {
    readonly description: string;
    readonly schema: z.ZodType<EventMap[Type]>;
    readonly example: EventMap[Type];
  };
};

const count = z.int().nonnegative();
const time = z.iso.datetime();

/** The events that Probity itself emits (specification, "Events"). A host may add its own to them. */
export const PROBITY_EVENTS: Definitions = {
  'alert.created': {
    description: 'A scan found personal data or a hallucination, or violated a policy.',
    schema: z.object({
      alertId: z.string(),
      severity: z.enum(['low', 'medium', 'high', 'critical']),
      type: z.string(),
      message: z.string(),
    }),
    example: { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'Personal data (email)' },
  },
  'alert.resolved': {
    description: 'An alert was resolved manually.',
    schema: z.object({ alertId: z.string(), resolution: z.string(), resolvedBy: z.string() }),
    example: { alertId: 'alr_1', resolution: 'False positive', resolvedBy: 'mem_1' },
  },
  'correction.deployed': {
    description: 'A correction of a claim was published.',
    schema: z.object({
      id: z.string(),
      claim: z.string(),
      correction: z.string(),
      sourceUrl: z.string(),
    }),
    example: {
      id: 'cor_1',
      claim: 'The warranty is three years.',
      correction: 'The warranty is two years.',
      sourceUrl: 'https://example.com/warranty',
    },
  },
  'certification.issued': {
    description: 'A certificate was issued for content.',
    schema: z.object({
      certificationId: z.string(),
      contentHash: z.string(),
      issuedAt: time,
      expiresAt: time.nullable(),
    }),
    example: {
      certificationId: 'crt_1',
      contentHash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
      issuedAt: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
    },
  },
  'certification.revoked': {
    description: 'A certificate was revoked.',
    schema: z.object({ certificationId: z.string(), reason: z.string() }),
    example: { certificationId: 'crt_1', reason: 'The content was wrong' },
  },
  'policy.violated': {
    description: 'A policy blocked or redacted the content of a scan.',
    schema: z.object({
      policyId: z.string(),
      violationReason: z.string(),
      scanId: z.string(),
      action: z.string(),
    }),
    example: {
      policyId: 'pol_1',
      violationReason: 'pii_scanner found credit_card',
      scanId: 'scn_1',
      action: 'block',
    },
  },
  'scan.completed': {
    description: 'A batch of scans finished.',
    schema: z.object({
      scanId: z.string(),
      total: count,
      allowed: count,
      flagged: count,
      blocked: count,
      errors: count,
    }),
    example: { scanId: 'scn_1', total: 10, allowed: 7, flagged: 2, blocked: 1, errors: 0 },
  },
};

/**
 * Checks a catalog and returns it.
 * @throws RangeError when it is empty, has an invalid event type as a name, a schema that is not of zod, or an
 *   example that its schema rejects
 */
export function checkCatalog(catalog: EventCatalog): EventCatalog {
  const types = Object.keys(catalog);
  if (types.length === 0) throw new RangeError('eventTypes must have at least one event type');
  const wrong = types.filter((type) => !isEventType(type));
  if (wrong.length > 0) {
    throw new RangeError(
      `eventTypes: ${wrong.join(', ')} must be of the form noun.verb, lower case`,
    );
  }
  for (const [type, definition] of Object.entries(catalog)) checkExample(type, definition);
  return catalog;
}

/** Customers see the example, and get it in test events. */
function checkExample(type: string, { schema, example }: EventDefinition): void {
  if (typeof example !== 'object' || example === null) {
    throw new RangeError(`eventTypes: ${type}: example must be an object`);
  }
  if (schema === undefined) return;
  if (typeof schema.safeParse !== 'function') {
    throw new RangeError(`eventTypes: ${type}: schema must be a schema of zod 4`);
  }
  const { error } = schema.safeParse(example);
  if (error) throw new RangeError(`eventTypes: ${type}: example: ${z.prettifyError(error)}`);
}

/** An event type of the catalog; the description says when each is sent. */
export function eventTypeSchema(catalog: EventCatalog) {
  const lines = Object.entries(catalog).map(
    ([type, { description }]) => `- \`${type}\`: ${description}`,
  );
  return z.enum(Object.keys(catalog), unknownTypeMessage(catalog)).meta({
    id: 'WebhookEventType',
    description: lines.join('\n'),
  });
}

/** At least one event type of the catalog. */
export function eventTypeList(catalog: EventCatalog) {
  return z.array(eventTypeSchema(catalog)).min(1, 'must name at least one event type');
}

/** The message for a type that is not in the catalog. */
export function unknownTypeMessage(catalog: EventCatalog): string {
  return `must be one of ${Object.keys(catalog).join(', ')}`;
}
