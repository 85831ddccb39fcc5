import type { IssuedWebhook, Webhook, WebhookEventType } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, FormError, Submit, useSending } from '../ui/form.tsx';
import { Time } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { Link } from '../ui/link.tsx';
import { useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { say } from '../ui/toasts.tsx';

const columns = (): readonly Column<Webhook>[] => [
  {
    title: t.webhook.url,
    kind: 'grow',
    cell: ({ id, url, disabledReason }) => (
      <>
        <Link class="row-link" href={`webhooks/${id}`}>
          {url}
        </Link>
        <span class="sub">{disabledReason ?? id}</span>
      </>
    ),
  },
  { title: t.webhook.state, kind: 'fit', cell: (webhook) => <State webhook={webhook} /> },
  { title: t.webhook.events, kind: 'wide', cell: ({ events }) => events.join(', ') },
  { title: t.key.created, kind: 'fit', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Whether a webhook is on. */
export function State({ webhook }: { readonly webhook: Pick<Webhook, 'active'> }) {
  return (
    <span class={webhook.active ? 'badge badge--plain is-good' : 'badge badge--blocked'}>
      <Icon name={webhook.active ? 'allowed' : 'pause'} />
      {webhook.active ? t.webhook.on : t.webhook.off}
    </span>
  );
}

/** All webhooks of the organization. */
export function WebhooksPage() {
  const queries = useQueryClient();
  const list = useList(['webhooks'], (page) => api.webhooks.list(page));
  const [isCreating, setCreating] = useState(false);
  const [issued, setIssued] = useState<IssuedWebhook | null>(null);
  return (
    <Page
      title={t.webhook.title}
      lead={t.webhook.lead}
      actions={
        may('webhooks:write') ? (
          <button class="btn btn--primary" type="button" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {t.webhook.create}
          </button>
        ) : null
      }
    >
      <DataTable
        caption={t.webhook.title}
        columns={columns()}
        list={list}
        empty={<Empty title={t.webhook.empty} />}
      />
      {isCreating ? (
        <Create
          onClose={() => setCreating(false)}
          onCreated={(webhook) => {
            setCreating(false);
            if (webhook.secret !== null) setIssued(webhook);
            for (const warning of webhook.warnings) say(warning, true);
            say(t.webhook.created);
            void queries.invalidateQueries({ queryKey: ['webhooks'] });
          }}
        />
      ) : null}
      {issued?.secret ? (
        <SecretOnce
          title={t.webhook.secretTitle}
          lead={t.webhook.secretLead}
          secret={issued.secret}
          onClose={() => setIssued(null)}
        />
      ) : null}
    </Page>
  );
}

function Create({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (webhook: IssuedWebhook) => void;
}) {
  const sending = useSending(['url', 'events']);
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEventType[]>(['alert.created']);
  const { data } = useQuery({
    queryKey: ['webhook-events'],
    queryFn: () => api.webhooks.listEventTypes({ limit: 100 }).page(),
  });
  const toggle = (type: WebhookEventType) =>
    setEvents(events.includes(type) ? events.filter((each) => each !== type) : [...events, type]);
  return (
    <Dialog title={t.webhook.create} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sending.send(async () => onCreated(await api.webhooks.create({ url, events })));
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <Field
            label={t.webhook.url}
            type="url"
            required
            value={url}
            hint={t.webhook.urlHint}
            error={sending.fieldError('url')}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
          <fieldset class="stack stack--tight">
            <legend>{t.webhook.events}</legend>
            {data?.items.map(({ type, description }) => (
              <label class="choice" key={type}>
                <input
                  class="tick"
                  type="checkbox"
                  checked={events.includes(type)}
                  onChange={() => toggle(type)}
                />
                <span>
                  <code>{type}</code>
                  <small class="sub">{description}</small>
                </span>
              </label>
            ))}
            {sending.fieldError('events') === null ? null : (
              <p class="error">{sending.fieldError('events')}</p>
            )}
          </fieldset>
        </div>
        <div class="dialog-foot">
          <button class="btn" type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <Submit sending={sending}>{t.webhook.create}</Submit>
        </div>
      </form>
    </Dialog>
  );
}
