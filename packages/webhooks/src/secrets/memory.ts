import type { MemorySession } from '@probity/core';
import { byId, listSealed } from '@probity/core/internal';
import { WEBHOOKS } from '../webhooks/memory-tables.ts';
import { FORMER_SECRETS } from './memory-tables.ts';
import type { SecretReads, SecretWrites } from './storage.ts';
import type { FormerSecret } from './types.ts';

/** The former secrets of a webhook in memory, by id. */
export function formerSecretsOf(session: MemorySession, webhookId: string): FormerSecret[] {
  const rows = session.table(FORMER_SECRETS).filter((row) => row.webhookId === webhookId);
  return rows.map(({ organizationId: _, ...secret }) => secret).sort(byId);
}

/** Reads and writes the secrets of webhooks in memory. */
export function createSecretOperations(session: MemorySession): SecretReads & SecretWrites {
  const webhooks = () => session.table(WEBHOOKS);
  const formers = () => session.table(FORMER_SECRETS);
  return {
    async findSecrets(webhookId) {
      const webhook = webhooks().get(webhookId);
      if (!webhook) return null;
      return { sealedSecret: webhook.sealedSecret, former: formerSecretsOf(session, webhookId) };
    },
    async listSealedSecrets(exceptKeyId, after, limit) {
      const rows = [...webhooks().filter(() => true), ...formers().filter(() => true)];
      const sealed = rows.map(({ id, sealedSecret }) => ({ id, sealed: sealedSecret }));
      return listSealed(sealed, exceptKeyId, after, limit);
    },
    async replaceSecret(webhookId, sealedSecret) {
      const webhook = webhooks().get(webhookId);
      if (webhook) webhooks().put(webhookId, { ...webhook, sealedSecret });
    },
    async insertFormerSecret(secret) {
      const webhook = webhooks().get(secret.webhookId);
      if (!webhook) throw new Error(`There is no webhook ${secret.webhookId}.`);
      formers().put(secret.id, { ...secret, organizationId: webhook.organizationId });
    },
    async shortenFormerSecrets(webhookId, at) {
      const later = formers().filter((row) => row.webhookId === webhookId && row.expiresAt > at);
      for (const row of later) formers().put(row.id, { ...row, expiresAt: at });
    },
    async deleteFormerSecrets(before, limit) {
      const expired = formers().filter(({ expiresAt }) => expiresAt < before);
      return expired.slice(0, limit).filter(({ id }) => formers().delete(id)).length;
    },
    async replaceSealedSecret({ id, from, to }) {
      const webhook = webhooks().get(id);
      if (webhook?.sealedSecret === from) webhooks().put(id, { ...webhook, sealedSecret: to });
      const former = formers().get(id);
      if (former?.sealedSecret === from) formers().put(id, { ...former, sealedSecret: to });
    },
  };
}
