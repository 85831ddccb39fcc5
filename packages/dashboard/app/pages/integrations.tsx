import type { Integration, IntegrationCheck } from '@probity/client';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { t } from '../text/index.ts';
import { words } from '../text/settings.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { reasonOf } from '../ui/failure.tsx';
import { Choice, Field, FormError, fieldsOf, Submit, useSending } from '../ui/form.tsx';
import { Time } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { say } from '../ui/toasts.tsx';

type Kind = Integration['type'];

/** Connections to ServiceNow and Microsoft Teams. */
export function IntegrationsPage() {
  const list = useList(['integrations'], (page) => api.integrations.list(page));
  const [isConnecting, setConnecting] = useState(false);
  const [removed, setRemoved] = useState<Integration | null>(null);
  const [check, setCheck] = useState<IntegrationCheck | null>(null);
  return (
    <Page
      title={t.nav.integrations}
      lead={words.integration.lead}
      actions={
        may('integrations:write') ? (
          <button class="btn btn--primary" type="button" onClick={() => setConnecting(true)}>
            <Icon name="plus" />
            {words.integration.connect}
          </button>
        ) : null
      }
    >
      <DataTable
        caption={t.nav.integrations}
        columns={columnsWith(setCheck, setRemoved)}
        list={list}
        empty={<Empty title={words.integration.empty} />}
      />
      {isConnecting ? <Connect onClose={() => setConnecting(false)} /> : null}
      {check ? <Checked check={check} onClose={() => setCheck(null)} /> : null}
      {removed ? <Remove integration={removed} onClose={() => setRemoved(null)} /> : null}
    </Page>
  );
}

/** Names an integration by its system and its address or tenant. */
function nameOf({ type, instance_url: url, tenant_id: tenant }: Integration): string {
  return `${words.integration.kinds[type]} ${url ?? tenant ?? ''}`;
}

function columnsWith(
  onChecked: (check: IntegrationCheck) => void,
  onRemove: (integration: Integration) => void,
): readonly Column<Integration>[] {
  const columns: Column<Integration>[] = [
    {
      title: words.integration.system,
      kind: 'grow',
      cell: (integration) => (
        <>
          <span class="strong">{words.integration.kinds[integration.type]}</span>
          <span class="sub" dir="auto">
            {integration.instance_url ?? integration.tenant_id}
          </span>
        </>
      ),
    },
    {
      title: t.webhook.state,
      cell: ({ status, lastError }) => (
        <>
          <span
            class={status === 'connected' ? 'badge badge--plain is-good' : 'badge badge--blocked'}
          >
            <Icon name={status === 'connected' ? 'allowed' : 'bad'} />
            {words.integration.states[status]}
          </span>
          {lastError === null ? null : (
            <span class="sub" dir="auto">
              {lastError}
            </span>
          )}
        </>
      ),
    },
    { title: t.key.created, kind: 'fit', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  if (!may('integrations:write')) return columns;
  return [
    ...columns,
    {
      title: t.scan.action,
      kind: 'fit',
      cell: (integration) => (
        <span class="row">
          <Test integration={integration} onChecked={onChecked} />
          <button
            class="btn btn--ghost btn--sm btn--icon"
            type="button"
            aria-label={words.integration.removeTitle(nameOf(integration))}
            onClick={() => onRemove(integration)}
          >
            <Icon name="trash" />
          </button>
        </span>
      ),
    },
  ];
}

function Test({
  integration,
  onChecked,
}: {
  readonly integration: Integration;
  readonly onChecked: (check: IntegrationCheck) => void;
}) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    try {
      onChecked(await api.integrations.test(integration.id));
      await queries.invalidateQueries({ queryKey: ['integrations'] });
    } catch (error) {
      say(reasonOf(error), true);
    }
    setBusy(false);
  };
  return (
    <button
      class="btn btn--sm"
      type="button"
      aria-busy={isBusy}
      disabled={isBusy}
      onClick={() => void test()}
    >
      {words.integration.test}
      <span class="sr"> {nameOf(integration)}</span>
    </button>
  );
}

function Checked({
  check,
  onClose,
}: {
  readonly check: IntegrationCheck;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={words.integration.states[check.status]} onClose={onClose}>
      <div class="dialog-body">
        <ul class="stack stack--tight">
          {check.checks.map(({ step, result, message }) => (
            <li key={step}>
              {words.integration.steps[step]}: {words.integration.results[result]}
              {message === null ? null : (
                <span class="sub" dir="auto">
                  {message}
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div class="dialog-foot">
        <button class="btn btn--primary" type="button" onClick={onClose}>
          {t.common.close}
        </button>
      </div>
    </Dialog>
  );
}

function Connect({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const sending = useSending(['instance_url', 'tenant_id', 'client_id', 'client_secret']);
  const [kind, setKind] = useState<Kind>('itsm');
  const place = kind === 'itsm' ? 'instance_url' : 'tenant_id';
  return (
    <Dialog title={words.integration.connect} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const { where = '', id = '', secret = '' } = fieldsOf(event.currentTarget);
          const client = { client_id: id, client_secret: secret };
          const connect = () =>
            kind === 'itsm'
              ? api.integrations.connectItsm({ instance_url: where, ...client })
              : api.integrations.connectChatops({ tenant_id: where, ...client });
          if (!(await sending.send(connect))) return;
          say(words.integration.connected);
          await queries.invalidateQueries({ queryKey: ['integrations'] });
          onClose();
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <Choice
            label={words.integration.system}
            values={(['itsm', 'chatops'] as const).map((each) => [
              each,
              words.integration.kinds[each],
            ])}
            value={kind}
            onChange={setKind}
          />
          <Field
            key={place}
            label={words.integration[place]}
            name="where"
            required
            error={sending.fieldError(place)}
          />
          <Field
            label={words.integration.client_id}
            name="id"
            autocomplete="off"
            required
            error={sending.fieldError('client_id')}
          />
          <Field
            label={words.integration.client_secret}
            name="secret"
            type="password"
            autocomplete="off"
            hint={words.integration.secretHint}
            required
            error={sending.fieldError('client_secret')}
          />
        </div>
        <div class="dialog-foot">
          <button class="btn" type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <Submit sending={sending}>{words.integration.connect}</Submit>
        </div>
      </form>
    </Dialog>
  );
}

function Remove({
  integration,
  onClose,
}: {
  readonly integration: Integration;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const sending = useSending();
  return (
    <Confirm
      title={words.integration.removeTitle(nameOf(integration))}
      lead={sending.error ?? words.integration.removeLead}
      act={words.integration.remove}
      busy={sending.isBusy}
      onClose={onClose}
      onConfirm={async () => {
        if (!(await sending.send(() => api.integrations.delete(integration.id)))) return;
        say(words.integration.removed);
        await queries.invalidateQueries({ queryKey: ['integrations'] });
        onClose();
      }}
    />
  );
}
