import type { EventType } from '@probity/core';
import { toDate, toDateOrNull } from '@probity/core/sql';
import type { Delivery, DeliveryAttempt, DeliveryStatus, Webhook } from '../types.ts';
import type { DeliveryRow, WebhookRow } from './tables.ts';

export function toWebhookRow(webhook: Webhook, sealedSecret: string): WebhookRow {
  return {
    id: webhook.id,
    organization_id: webhook.organizationId,
    url: webhook.url,
    events: JSON.stringify(webhook.events),
    active: Number(webhook.active),
    sealed_secret: sealedSecret,
    created_at: webhook.createdAt.getTime(),
    disabled_at: webhook.disabledAt?.getTime() ?? null,
    disabled_reason: webhook.disabledReason,
  };
}

export function toWebhook(row: Omit<WebhookRow, 'sealed_secret'>): Webhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    events: JSON.parse(row.events) as EventType[],
    active: row.active === 1,
    createdAt: toDate(row.created_at),
    disabledAt: toDateOrNull(row.disabled_at),
    disabledReason: row.disabled_reason,
  };
}

export function toDeliveryRow(delivery: Delivery): DeliveryRow {
  return {
    id: delivery.id,
    organization_id: delivery.organizationId,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: JSON.stringify(delivery.attempts),
    attempt_count: delivery.attemptCount,
    first_attempt_at: delivery.firstAttemptAt?.getTime() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.getTime() ?? null,
    created_at: delivery.createdAt.getTime(),
  };
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    organizationId: row.organization_id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type as EventType,
    status: row.status as DeliveryStatus,
    attempts: toAttempts(row.attempts),
    attemptCount: row.attempt_count,
    firstAttemptAt: toDateOrNull(row.first_attempt_at),
    nextAttemptAt: toDateOrNull(row.next_attempt_at),
    createdAt: toDate(row.created_at),
  };
}

function toAttempts(text: string): DeliveryAttempt[] {
  const stored = JSON.parse(text) as Array<Omit<DeliveryAttempt, 'at'> & { at: string }>;
  return stored.map((attempt) => ({ ...attempt, at: new Date(attempt.at) }));
}
