import type { AuditEntry } from '@probity/client';
import { api } from '../api/connection.ts';
import { organizationId } from '../api/session.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Time } from '../ui/format.tsx';
import { useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';

const columns = (): readonly Column<AuditEntry>[] => [
  {
    title: t.audit.action,
    kind: 'grow',
    cell: ({ action, id }) => (
      <>
        <code>{action}</code>
        <span class="sub">{id}</span>
      </>
    ),
  },
  {
    title: t.audit.actor,
    cell: ({ actor }) => (actor.type === 'system' ? t.audit.system : actor.id),
  },
  { title: t.audit.target, kind: 'wide', cell: ({ target }) => target.id },
  { title: t.audit.address, kind: 'wide', cell: ({ address }) => address ?? '' },
  { title: t.audit.time, kind: 'fit', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The audit log, newest first. */
export function AuditLogPage() {
  const list = useList(['audit'], (page) =>
    api.organizations.listAuditLog(organizationId.value, page),
  );
  return (
    <Page title={t.nav.audit} lead={t.audit.lead}>
      <DataTable
        caption={t.nav.audit}
        columns={columns()}
        list={list}
        empty={<Empty title={t.audit.empty} />}
      />
    </Page>
  );
}
