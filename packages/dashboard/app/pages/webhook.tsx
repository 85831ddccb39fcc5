import type { Delivery, Webhook } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Code, Copy } from '../ui/copy.tsx';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Failure, reasonOf } from '../ui/failure.tsx';
import { useSending } from '../ui/form.tsx';
import { Time, toDuration, toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { toHref } from '../ui/link.tsx';
import { useList } from '../ui/list.ts';
import { Facts, Page, Section } from '../ui/page.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { say } from '../ui/toasts.tsx';
import { State } from './webhooks.tsx';

/** One webhook: its state, deliveries and actions. */
export function WebhookPage() {
  const { id = '' } = useRoute().params;
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook', id],
    queryFn: () => api.webhooks.get(id),
  });
  if (error)
    return (
      <Page title={t.webhook.title}>
        <Failure error={error} retry={refetch} />
      </Page>
    );
  if (!data) return <Page title={t.webhook.title}>{null}</Page>;
  return (
    <Page
      title={data.url}
      badge={<State webhook={data} />}
      actions={may('webhooks:write') ? <Acts webhook={data} /> : null}
    >
      {data.disabledReason === null ? null : (
        <div class="note note--bad">
          <Icon name="pause" />
          <div>
            <p>{data.disabledReason}</p>
          </div>
        </div>
      )}
      <div class="cols cols--aside">
        <Deliveries webhook={data} />
        <aside class="stack" aria-label={t.scan.properties}>
          <Facts
            facts={[
              [t.scan.id, <Copy key="id" value={data.id} />],
              [t.webhook.events, data.events.join(', ')],
              [t.key.created, <Time key="created" at={data.createdAt} />],
            ]}
          />
        </aside>
      </div>
    </Page>
  );
}

function Acts({ webhook }: { readonly webhook: Webhook }) {
  const queries = useQueryClient();
  const { route } = useLocation();
  const [asked, setAsked] = useState<'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const sending = useSending();
  const reload = () => queries.invalidateQueries({ queryKey: ['webhook', webhook.id] });
  const act = (work: () => Promise<unknown>, done: string) =>
    work()
      .then(() => say(done))
      .then(reload)
      .catch((error: unknown) => say(reasonOf(error), true));
  const confirm = () =>
    sending.send(async () => {
      if (asked === 'rotate') {
        const rotated = await api.webhooks.rotateSecret(webhook.id);
        setSecret(rotated.secret);
        await reload();
      } else {
        await api.webhooks.delete(webhook.id);
        await queries.invalidateQueries({ queryKey: ['webhooks'] });
        route(toHref('webhooks'));
      }
      setAsked(null);
    });
  return (
    <>
      <button
        class="btn"
        type="button"
        onClick={() =>
          act(
            () => api.webhooks.update(webhook.id, { active: !webhook.active }),
            webhook.active ? t.webhook.off : t.webhook.on,
          )
        }
      >
        {webhook.active ? t.webhook.turnOff : t.webhook.turnOn}
      </button>
      <button class="btn" type="button" onClick={() => setAsked('rotate')}>
        {t.webhook.rotate}
      </button>
      <button class="btn" type="button" onClick={() => setAsked('delete')}>
        <Icon name="trash" />
        {t.webhook.delete}
      </button>
      <button
        class="btn btn--primary"
        type="button"
        onClick={() => act(() => api.webhooks.test(webhook.id), t.webhook.tested)}
      >
        <Icon name="send" />
        {t.webhook.test}
      </button>
      {asked === null ? null : (
        <Confirm
          title={asked === 'rotate' ? t.webhook.rotate : t.webhook.delete}
          lead={sending.error ?? (asked === 'rotate' ? t.webhook.rotateLead : t.webhook.deleteLead)}
          act={asked === 'rotate' ? t.webhook.rotate : t.webhook.delete}
          busy={sending.isBusy}
          onClose={() => setAsked(null)}
          onConfirm={() => void confirm()}
        />
      )}
      {secret === null ? null : (
        <SecretOnce
          title={t.webhook.secretTitle}
          lead={t.webhook.secretLead}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

const BADGES = {
  delivered: 'badge badge--plain is-good',
  pending: 'badge badge--plain',
  held: 'badge badge--flagged',
  failed: 'badge badge--blocked',
} as const;

function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const [opened, setOpened] = useState<string | null>(null);
  const list = useList(
    ['webhook', webhook.id, 'deliveries'],
    (page) => api.webhooks.listDeliveries(webhook.id, page),
    ({ status }) => status === 'pending',
  );
  const columns: readonly Column<Delivery>[] = [
    {
      title: t.webhook.event,
      kind: 'grow',
      cell: ({ id, eventType, test }) => (
        <>
          <button class="row-link" type="button" onClick={() => setOpened(id)}>
            {eventType}
          </button>
          {test ? <span class="badge badge--plain">{t.webhook.isTest}</span> : null}
          <span class="sub">{id}</span>
        </>
      ),
    },
    {
      title: t.webhook.status,
      kind: 'fit',
      cell: ({ status }) => <span class={BADGES[status]}>{t.webhook[status]}</span>,
    },
    { title: t.webhook.attempts, kind: 'num', cell: ({ attempts }) => toNumber(attempts.length) },
    { title: t.scan.time, kind: 'fit', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Section title={t.webhook.deliveries}>
      <DataTable
        caption={t.webhook.deliveries}
        columns={columns}
        list={list}
        empty={<Empty title={t.webhook.noDeliveries} />}
      />
      {opened === null ? null : (
        <Inspector webhookId={webhook.id} id={opened} onClose={() => setOpened(null)} />
      )}
    </Section>
  );
}

function Inspector({
  webhookId,
  id,
  onClose,
}: {
  readonly webhookId: string;
  readonly id: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const sending = useSending();
  const { data, error } = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => api.webhooks.getDelivery(webhookId, id),
  });
  return (
    <Dialog title={t.webhook.delivery} lead={id} onClose={onClose}>
      <div class="dialog-body stack">
        {error ? <Failure error={error} /> : null}
        {sending.error === null ? null : <p class="error">{sending.error}</p>}
        <ol class="trail">
          {data?.attempts.map(
            ({ number, at, durationMs, responseStatus, responseBody, error: fault }) => (
              <li key={number}>
                <span class="trail-dot">
                  <Icon name={fault === null ? 'check' : 'bad'} />
                </span>
                <p>
                  <b>{responseStatus ?? fault}</b> <Time at={at} /> {toDuration(durationMs)}
                  <span class="sub">{responseBody}</span>
                </p>
              </li>
            ),
          )}
        </ol>
        {data ? <Code title={data.eventType} text={data.body} /> : null}
      </div>
      <div class="dialog-foot">
        <button class="btn" type="button" onClick={onClose}>
          {t.common.close}
        </button>
        {may('webhooks:write') ? (
          <button
            class="btn btn--primary"
            type="button"
            aria-busy={sending.isBusy}
            onClick={async () => {
              if (!(await sending.send(() => api.webhooks.redeliverDelivery(webhookId, id))))
                return;
              say(t.webhook.redelivered);
              await queries.invalidateQueries({ queryKey: ['webhook', webhookId] });
              onClose();
            }}
          >
            {t.webhook.redeliver}
          </button>
        ) : null}
      </div>
    </Dialog>
  );
}
