/** Tables of the webhooks package; times are milliseconds since 1970. */
export interface WebhookTables {
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
}

export interface WebhookRow {
  id: string;
  organization_id: string;
  url: string;
  /** JSON array of event types. */
  events: string;
  active: number;
  sealed_secret: string;
  created_at: number;
  disabled_at: number | null;
  disabled_reason: string | null;
}

export interface DeliveryRow {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  status: string;
  /** JSON array of attempts, with times in ISO 8601. */
  attempts: string;
  attempt_count: number;
  first_attempt_at: number | null;
  next_attempt_at: number | null;
  created_at: number;
}
