import type { SqlSession } from '@probity/core/sql';
import type { OrganizationTables } from '../../organizations/sql/tables.ts';
import type { SubscriptionReads, SubscriptionWrites } from '../storage.ts';
import { toSubscription, toSubscriptionRow } from './rows.ts';
import type { BillingTables } from './tables.ts';

/** Creates the SQL storage for subscriptions. */
export function createSqlSubscriptions(
  session: SqlSession,
): SubscriptionReads & SubscriptionWrites {
  const db = () => session.kysely<BillingTables & OrganizationTables>();
  return {
    async findSubscription(organizationId) {
      const row = await db()
        .selectFrom('probity_subscriptions as s')
        .innerJoin('probity_organizations as o', 'o.id', 's.organization_id')
        .innerJoin('probity_tenants as tenant', 'tenant.id', 'o.id')
        .where('tenant.removed_at', 'is', null)
        .selectAll('s')
        .select('o.plan')
        .where('s.organization_id', '=', organizationId)
        .executeTakeFirst();
      return row ? toSubscription(row) : null;
    },
    async listEndedCycles(now, limit) {
      const rows = await db()
        .selectFrom('probity_subscriptions as s')
        .innerJoin('probity_tenants as tenant', 'tenant.id', 's.organization_id')
        .select('s.organization_id')
        .where('s.status', '=', 'active')
        .where('s.cycle_end', '<=', now.getTime())
        .where('tenant.removed_at', 'is', null)
        .orderBy('s.cycle_end')
        .limit(limit)
        .execute();
      return rows.map((row) => row.organization_id);
    },
    async insertSubscription(subscription) {
      await db()
        .insertInto('probity_subscriptions')
        .values(toSubscriptionRow(subscription))
        .execute();
    },
    async updateSubscription(subscription) {
      const { organization_id: organizationId, ...columns } = toSubscriptionRow(subscription);
      await db()
        .updateTable('probity_subscriptions')
        .set(columns)
        .where('organization_id', '=', organizationId)
        .execute();
      await db()
        .updateTable('probity_organizations')
        .set({ plan: subscription.plan })
        .where('id', '=', organizationId)
        .execute();
    },
  };
}
