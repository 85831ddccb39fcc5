import type { Alert } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { api } from '../api/connection.ts';
import { may, person } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Copy } from '../ui/copy.tsx';
import { Failure, reasonOf } from '../ui/failure.tsx';
import { FormError, fieldsOf, Submit, TextArea, useSending } from '../ui/form.tsx';
import { Time } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { ResolveDialog } from '../ui/resolve-dialog.tsx';
import { say } from '../ui/toasts.tsx';
import { Severity } from '../ui/verdict.tsx';

/** One alert: its message, history and actions. */
export function AlertPage() {
  const { id = '' } = useRoute().params;
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['alert', id],
    queryFn: () => api.alerts.get(id),
  });
  if (error)
    return (
      <Page title={t.alert.title}>
        <Failure error={error} retry={refetch} />
      </Page>
    );
  if (!data) return <Page title={t.alert.title}>{null}</Page>;
  const reload = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['alert', id] }),
      queries.invalidateQueries({ queryKey: ['alerts'] }),
    ]);
  };
  return (
    <Page
      title={data.message}
      badge={<Severity severity={data.severity} />}
      actions={may('alerts:write') ? <Acts alert={data} reload={reload} /> : null}
    >
      <div class="cols cols--aside">
        <div class="stack">
          <History id={id} reload={reload} />
        </div>
        <aside class="stack" aria-label={t.scan.properties}>
          <Facts
            facts={[
              [t.scan.id, <Copy key="id" value={data.id} />],
              [t.alert.status, data.status === 'open' ? t.alert.open : t.alert.resolved],
              [t.alert.created, <Time key="created" at={data.createdAt} />],
              [
                t.alert.assignee,
                data.assigneeId === null ? t.common.none : <Person id={data.assigneeId} />,
              ],
              [
                t.alert.scan,
                <Link key="scan" href={`scans/${data.scanId}`}>
                  {data.scanId}
                </Link>,
              ],
              ...(data.resolution === null ? [] : [[t.alert.resolution, data.resolution] as const]),
            ]}
          />
        </aside>
      </div>
    </Page>
  );
}

function Acts({ alert, reload }: { readonly alert: Alert; readonly reload: () => Promise<void> }) {
  const [isResolving, setResolving] = useState(false);
  if (alert.status === 'resolved') return null;
  const act = (work: () => Promise<unknown>) =>
    work()
      .then(reload)
      .catch((error: unknown) => say(reasonOf(error), true));
  const memberId = person.value?.caller.memberId ?? null;
  return (
    <>
      {alert.acknowledgedAt === null ? (
        <button
          class="btn"
          type="button"
          onClick={() => act(() => api.alerts.acknowledge(alert.id))}
        >
          <Icon name="check" />
          {t.alert.acknowledge}
        </button>
      ) : null}
      {alert.assigneeId === memberId ? null : (
        <button
          class="btn"
          type="button"
          onClick={() => act(() => api.alerts.assign(alert.id, { memberId }))}
        >
          <Icon name="person" />
          {t.alert.assign}
        </button>
      )}
      <button class="btn btn--primary" type="button" onClick={() => setResolving(true)}>
        {t.alert.resolve}
      </button>
      {isResolving ? (
        <ResolveDialog
          title={t.alert.resolveOne}
          onClose={() => setResolving(false)}
          resolve={async (resolution) => {
            await api.alerts.resolve(alert.id, { resolution });
            await reload();
          }}
        />
      ) : null}
    </>
  );
}

function History({ id, reload }: { readonly id: string; readonly reload: () => Promise<void> }) {
  const sending = useSending(['text']);
  const { data, error, refetch } = useQuery({
    queryKey: ['alert', id, 'history'],
    queryFn: () => api.alerts.listHistory(id, { limit: 100 }).page(),
  });
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <Section title={t.alert.history}>
      {data?.items.length === 0 ? <p class="muted">{t.alert.noHistory}</p> : null}
      <ol class="trail">
        {data?.items.map((action) => (
          <li key={action.id}>
            <span class="trail-dot">
              <Icon name={action.action === 'commented' ? 'comment' : 'check'} />
            </span>
            <p>
              <b>
                <Person id={action.memberId} />
              </b>{' '}
              {t.alert.actions[action.action]} <Time at={action.createdAt} />
            </p>
            {action.text === null ? null : <p dir="auto">{action.text}</p>}
          </li>
        ))}
      </ol>
      {may('alerts:write') ? (
        <form
          class="form"
          onSubmit={async (event) => {
            event.preventDefault();
            const form = event.currentTarget;
            const { text = '' } = fieldsOf(form);
            if (!(await sending.send(() => api.alerts.comment(id, { text })))) return;
            form.reset();
            await reload();
          }}
        >
          <FormError sending={sending} />
          <TextArea
            label={t.alert.comment}
            name="text"
            rows={2}
            required
            error={sending.fieldError('text')}
          />
          <div class="row">
            <Submit sending={sending}>{t.alert.addComment}</Submit>
          </div>
        </form>
      ) : null}
    </Section>
  );
}
