import type { Alert, AlertChanges, ListAlertsQuery } from '@probity/client';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may, person } from '../api/session.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { reasonOf } from '../ui/failure.tsx';
import { Filters } from '../ui/filters.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { useFilters, useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { ResolveDialog } from '../ui/resolve-dialog.tsx';
import { say } from '../ui/toasts.tsx';
import { Severity } from '../ui/verdict.tsx';

const columns = (): readonly Column<Alert>[] => [
  {
    title: t.alert.message,
    kind: 'grow',
    cell: ({ id, message }) => (
      <>
        <Link class="row-link" href={`alerts/${id}`}>
          {message}
        </Link>
        <span class="sub">{id}</span>
      </>
    ),
  },
  {
    title: t.alert.severity,
    kind: 'fit',
    cell: ({ severity }) => <Severity severity={severity} />,
  },
  { title: t.alert.type, kind: 'wide', cell: ({ type }) => t.score[type] ?? t.policy.title },
  {
    title: t.alert.assignee,
    kind: 'fit',
    cell: ({ assigneeId }) => (
      <span class="muted">{assigneeId === null ? t.common.none : <Person id={assigneeId} />}</span>
    ),
  },
  { title: t.alert.created, kind: 'fit', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Alerts by the filters of the address, with acts on several at once. */
export function AlertsPage() {
  const { filters } = useFilters();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const query = { status: 'open', ...filters } as ListAlertsQuery & { group_by?: undefined };
  const list = useList(['alerts'], (page) => api.alerts.list({ ...query, ...page }));
  const severities = (['low', 'medium', 'high', 'critical'] as const).map(
    (severity) => [severity, t.severity[severity]] as const,
  );
  const statuses = [
    ['open', t.alert.open],
    ['resolved', t.alert.resolved],
  ] as const;
  const selection = may('alerts:write')
    ? { ids, set: setIds, label: (id: string) => t.alert.select(id) }
    : undefined;
  return (
    <Page title={t.alert.title} lead={t.alert.lead}>
      <Filters
        searchable
        filters={[
          { name: 'status', title: t.alert.status, values: statuses },
          { name: 'severity', title: t.alert.severity, values: severities },
        ]}
      />
      <DataTable
        caption={t.alert.title}
        columns={columns()}
        list={list}
        selection={selection}
        empty={
          <Empty title={Object.keys(filters).length > 0 ? t.alert.emptyFiltered : t.alert.empty} />
        }
      />
      {ids.size > 0 ? <BulkBar ids={ids} onDone={() => setIds(new Set())} /> : null}
    </Page>
  );
}

function BulkBar({
  ids,
  onDone,
}: {
  readonly ids: ReadonlySet<string>;
  readonly onDone: () => void;
}) {
  const queries = useQueryClient();
  const [isResolving, setResolving] = useState(false);
  const chosen = [...ids];
  const done = async (changes: AlertChanges, words: (count: string) => string) => {
    say(words(toNumber(changes.changed.length)));
    onDone();
    await queries.invalidateQueries({ queryKey: ['alerts'] });
  };
  const act = (work: () => Promise<AlertChanges>, words: (count: string) => string) =>
    work()
      .then((changes) => done(changes, words))
      .catch((error: unknown) => say(reasonOf(error), true));
  const memberId = person.value?.caller.memberId ?? null;
  return (
    <div class="bulk" role="toolbar" aria-label={t.alert.selected(toNumber(ids.size))}>
      <strong class="num">{t.alert.selected(toNumber(ids.size))}</strong>
      <button
        class="btn btn--sm"
        type="button"
        onClick={() => act(() => api.alerts.acknowledgeMany({ ids: chosen }), t.alert.acknowledged)}
      >
        <Icon name="check" />
        {t.alert.acknowledge}
      </button>
      <button
        class="btn btn--sm"
        type="button"
        onClick={() =>
          act(() => api.alerts.assignMany({ ids: chosen, memberId }), t.alert.assigned)
        }
      >
        <Icon name="person" />
        {t.alert.assign}
      </button>
      <button class="btn btn--sm btn--primary" type="button" onClick={() => setResolving(true)}>
        {t.alert.resolve}
      </button>
      <button
        class="btn btn--ghost btn--sm btn--icon"
        type="button"
        aria-label={t.common.close}
        onClick={onDone}
      >
        <Icon name="x" />
      </button>
      {isResolving ? (
        <ResolveDialog
          title={t.alert.resolveTitle(toNumber(ids.size))}
          onClose={() => setResolving(false)}
          resolve={async (resolution) =>
            done(await api.alerts.resolveMany({ ids: chosen, resolution }), t.alert.done)
          }
        />
      ) : null}
    </div>
  );
}
