import { byId } from '@probity/core/internal';
import type { SqlSession } from '@probity/core/sql';
import {
  deleteBatch,
  prepareInsert,
  requireSealingKey,
  sealedColumn,
  toDate,
} from '@probity/core/sql';
import type { SecretReads, SecretWrites } from './storage.ts';
import type { FormerSecret } from './types.ts';

/** Times are milliseconds since 1970. */
interface SecretTables {
  probity_webhooks: { id: string; sealed_secret: string };
  probity_webhook_former_secrets: FormerSecretRow;
}

interface FormerSecretRow {
  id: string;
  webhook_id: string;
  sealed_secret: string;
  expires_at: number;
}

const insertFormer = prepareInsert<FormerSecretRow>('probity_webhook_former_secrets', [
  'id',
  'webhook_id',
  'sealed_secret',
  'expires_at',
]);

/** Reads the secrets of webhooks on a SQL session. */
export function createSecretReads(session: SqlSession): SecretReads {
  const db = () => session.kysely<SecretTables>();
  return {
    async findSecrets(webhookId) {
      const webhook = await db()
        .selectFrom('probity_webhooks')
        .select('sealed_secret')
        .where('id', '=', webhookId)
        .executeTakeFirst();
      if (!webhook) return null;
      const rows = await db()
        .selectFrom('probity_webhook_former_secrets')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .execute();
      return { sealedSecret: webhook.sealed_secret, former: rows.map(toSecret).sort(byId) };
    },
    async listSealedSecrets(exceptKeyId, after, limit) {
      // The ids of webhooks, `whk_…`, come before those of former secrets, `whs_…`.
      const { present, former } = columnsOf(session);
      const found = await present.list(exceptKeyId, after, limit);
      if (found.length === limit) return found;
      return [...found, ...(await former.list(exceptKeyId, after, limit - found.length))];
    },
  };
}

/** Writes the secrets of webhooks on a SQL session. */
export function createSecretWrites(session: SqlSession): SecretWrites {
  const db = () => session.kysely<SecretTables>();
  return {
    async replaceSecret(webhookId, sealedSecret) {
      await requireSealingKey(session, sealedSecret);
      await db()
        .updateTable('probity_webhooks')
        .set({ sealed_secret: sealedSecret })
        .where('id', '=', webhookId)
        .execute();
    },
    async insertFormerSecret({ id, webhookId, sealedSecret, expiresAt }) {
      await requireSealingKey(session, sealedSecret);
      await insertFormer(session, {
        id,
        webhook_id: webhookId,
        sealed_secret: sealedSecret,
        expires_at: expiresAt.getTime(),
      });
    },
    async shortenFormerSecrets(webhookId, at) {
      await db()
        .updateTable('probity_webhook_former_secrets')
        .set({ expires_at: at.getTime() })
        .where('webhook_id', '=', webhookId)
        .where('expires_at', '>', at.getTime())
        .execute();
    },
    deleteFormerSecrets(before, limit) {
      const expired = db()
        .selectFrom('probity_webhook_former_secrets')
        .select('id')
        .where('expires_at', '<', before.getTime())
        .orderBy('expires_at')
        .limit(limit);
      return deleteBatch(session, 'probity_webhook_former_secrets', 'id', expired);
    },
    async replaceSealedSecret(value) {
      const { present, former } = columnsOf(session);
      await (value.id.startsWith('whs_') ? former : present).replace(value);
    },
  };
}

function columnsOf(session: SqlSession) {
  return {
    present: sealedColumn(session, 'probity_webhooks', 'sealed_secret'),
    former: sealedColumn(session, 'probity_webhook_former_secrets', 'sealed_secret'),
  };
}

function toSecret(row: FormerSecretRow): FormerSecret {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    sealedSecret: row.sealed_secret,
    expiresAt: toDate(row.expires_at),
  };
}
