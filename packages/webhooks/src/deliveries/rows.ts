import { toDate, toDateOrNull } from '@probity/core/sql';
import type { Delivery, DeliveryAttempt, DeliveryRequest, DeliveryStatus } from './types.ts';

/** A delivery as stored; times are milliseconds since 1970. */
export interface DeliveryRow {
  id: string;
  organization_id: string;
  webhook_id: string;
  activation: number;
  event_id: string;
  event_type: string;
  replay_id: string | null;
  /** 1 for a test. */
  test: number;
  status: string;
  /** JSON array of attempts, with times in ISO 8601. */
  attempts: string;
  attempt_count: number;
  first_attempt_at: number | null;
  next_attempt_at: number | null;
  /** Null when it was not sent again since its creation. */
  pending_since: number | null;
  created_at: number;
}

/** The columns of a `Delivery`. */
export const DELIVERY_COLUMNS = [
  'id',
  'organization_id',
  'webhook_id',
  'activation',
  'event_id',
  'event_type',
  'replay_id',
  'test',
  'status',
  'attempts',
  'attempt_count',
  'first_attempt_at',
  'next_attempt_at',
  'pending_since',
  'created_at',
] as const satisfies ReadonlyArray<keyof DeliveryRow>;

/** What a held delivery has. */
export const HELD = { status: 'held', next_attempt_at: null } as const;

/** The row of a delivery. */
export function toDeliveryRow(delivery: Delivery): DeliveryRow {
  return {
    id: delivery.id,
    organization_id: delivery.organizationId,
    webhook_id: delivery.webhookId,
    activation: delivery.activation,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    replay_id: delivery.replayId,
    test: Number(delivery.isTest),
    status: delivery.status,
    attempts: JSON.stringify(delivery.attempts),
    attempt_count: delivery.attemptCount,
    first_attempt_at: delivery.firstAttemptAt?.getTime() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.getTime() ?? null,
    pending_since: delivery.pendingSince.getTime(),
    created_at: delivery.createdAt.getTime(),
  };
}

/** The status as which a delivery is read: held, if it is pending since before `current`. */
export function statusOf(
  { status, activation }: Pick<DeliveryRow, 'status' | 'activation'>,
  current: number,
): DeliveryStatus {
  return status === 'pending' && activation < current ? 'held' : (status as DeliveryStatus);
}

/**
 * The delivery of a row.
 * @param current the webhook's activation, before which pending deliveries are held
 */
export function toDelivery(row: DeliveryRow, current: number): Delivery {
  const status = statusOf(row, current);
  return {
    id: row.id,
    organizationId: row.organization_id,
    webhookId: row.webhook_id,
    activation: row.activation,
    eventId: row.event_id,
    eventType: row.event_type,
    replayId: row.replay_id,
    isTest: row.test === 1,
    status,
    attempts: toAttempts(row.attempts),
    attemptCount: row.attempt_count,
    firstAttemptAt: toDateOrNull(row.first_attempt_at),
    nextAttemptAt: status === 'held' ? null : toDateOrNull(row.next_attempt_at),
    pendingSince: toDate(row.pending_since ?? row.created_at),
    createdAt: toDate(row.created_at),
  };
}

/** The stored request of an attempt. */
export function toRequest(text: string): DeliveryRequest {
  // Those from before there were formats name none.
  return { format: 'standard', ...(JSON.parse(text) as Omit<DeliveryRequest, 'format'>) };
}

function toAttempts(text: string): DeliveryAttempt[] {
  const stored = JSON.parse(text) as Array<Omit<DeliveryAttempt, 'at'> & { at: string }>;
  return stored.map((attempt) => ({ ...attempt, at: new Date(attempt.at) }));
}
