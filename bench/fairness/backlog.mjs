import { createSecretBox } from '../../packages/core/dist/src/index.js';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  insertMany,
} from '../../packages/core/dist/src/sql/index.js';

const BATCH = 20_000;
const SQLITE = 'sqlite:';

/** Stores a webhook of the organization with so many deliveries that are due. */
export async function addBacklog(location, organizationId, url, count) {
  const database = location.startsWith(SQLITE)
    ? createSqliteDatabase({ path: location.slice(SQLITE.length) })
    : createPostgresDatabase({ url: location });
  const secretBox = createSecretBox([Buffer.alloc(32, 7)]);
  const at = Date.now() - 60_000;
  const webhook = {
    ...{ id: 'wh_backlog', organization_id: organizationId, url, events: '["policy.violated"]' },
    ...{ active: 1, sealed_secret: secretBox.seal('whsec_c2VjcmV0', 'webhook:wh_backlog') },
    ...{ created_at: at, disabled_at: null, disabled_reason: null },
  };
  try {
    await database.transaction((session) => insertMany(session, 'probity_webhooks', [webhook]));
    for (let first = 0; first < count; first += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) =>
        rowsOf(first + index, organizationId, at),
      );
      await database.transaction(async (session) => {
        for (const table of ['probity_events', 'probity_webhook_deliveries', 'probity_jobs']) {
          await insertMany(
            session,
            table,
            rows.map((each) => each[table]),
          );
        }
      });
    }
  } finally {
    await database.close();
  }
}

function rowsOf(number, organizationId, at) {
  const [event, delivery] = [`evt_backlog_${number}`, `dlv_backlog_${number}`];
  const payload = JSON.stringify({ deliveryId: delivery, eventId: event });
  return {
    probity_events: {
      ...{ id: event, organization_id: organizationId, type: 'policy.violated', data: '{}' },
      ...{ request_id: null, created_at: at },
    },
    probity_webhook_deliveries: {
      ...{ id: delivery, organization_id: organizationId, webhook_id: 'wh_backlog' },
      ...{ event_id: event, event_type: 'policy.violated', status: 'pending', attempts: '[]' },
      ...{ attempt_count: 0, first_attempt_at: null, next_attempt_at: at, created_at: at },
    },
    probity_jobs: {
      ...{ id: `job_backlog_${number}`, queue: 'webhooks.deliver', tenant_id: organizationId },
      ...{ group_key: 'wh_backlog', payload, due_at: at, lease_token: null, attempts: 0 },
      last_error: null,
    },
  };
}
