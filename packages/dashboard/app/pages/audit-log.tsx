import type { AuditEntry } from '@probity/client';
import { api } from '../api/connection.ts';
import { organizationId } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Code } from '../ui/copy.tsx';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Time } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';

const columns = (): readonly Column<AuditEntry>[] => [
  {
    title: t.audit.action,
    kind: 'grow',
    cell: ({ action, id, before, after }) => (
      <>
        <code>{action}</code>
        <span class="sub">{id}</span>
        <Change before={before} after={after} />
      </>
    ),
  },
  {
    title: t.audit.actor,
    cell: ({ actor }) => (actor.type === 'system' ? t.audit.system : <Person id={actor.id} />),
  },
  { title: t.audit.target, kind: 'wide', cell: ({ target }) => target.id },
  { title: t.audit.address, kind: 'wide', cell: ({ address }) => address ?? '' },
  { title: t.audit.time, kind: 'fit', cell: ({ created_at: at }) => <Time at={at} /> },
];

function Change({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  if (before === null && after === null) return null;
  return (
    <details class="disclose">
      <summary>
        <Icon name="right" />
        {t.audit.change}
      </summary>
      {before === null ? null : (
        <Code title={t.audit.before} text={JSON.stringify(before, null, 2)} />
      )}
      {after === null ? null : <Code title={t.audit.after} text={JSON.stringify(after, null, 2)} />}
    </details>
  );
}

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
