import type { ScimRequest, ScimStatus } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may, organizationId } from '../api/session.ts';
import { t } from '../text/index.ts';
import { words } from '../text/settings.ts';
import { Copy } from '../ui/copy.tsx';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Choice, Field, FormError, fieldsOf, Submit, useSending } from '../ui/form.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { say } from '../ui/toasts.tsx';

const OVERLAPS = ['0', '3600', '86400', '604800'] as const;

/** The connection of the identity provider: base URL, token and the latest requests. */
export function ScimPage() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['scim'],
    queryFn: () => api.organizations.getScimStatus(organizationId.value),
  });
  const [open, setOpen] = useState<'issue' | 'disable' | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const close = () => setOpen(null);
  const reload = () => queries.invalidateQueries({ queryKey: ['scim'] });
  return (
    <Page
      title={t.nav.scim}
      lead={words.scim.lead}
      actions={
        data && may('scim:write') ? (
          <>
            {data.enabled ? (
              <button class="btn btn--danger" type="button" onClick={() => setOpen('disable')}>
                {words.scim.disable}
              </button>
            ) : null}
            <button class="btn btn--primary" type="button" onClick={() => setOpen('issue')}>
              {data.enabled ? words.scim.replace : words.scim.enable}
            </button>
          </>
        ) : null
      }
    >
      {error ? <Failure error={error} retry={refetch} /> : null}
      {data ? <Connection status={data} /> : null}
      {data?.enabled ? <Activity /> : null}
      {open === 'issue' && data ? (
        <Issue
          status={data}
          onClose={close}
          onIssued={(issued) => {
            close();
            setToken(issued);
            void reload();
          }}
        />
      ) : null}
      {open === 'disable' ? <Disable onClose={close} onDone={reload} /> : null}
      {token === null ? null : (
        <SecretOnce
          title={words.scim.token}
          lead={words.scim.tokenLead}
          secret={token}
          onClose={() => setToken(null)}
        />
      )}
    </Page>
  );
}

function Connection({ status }: { readonly status: ScimStatus }) {
  const { enabled, base_url: baseUrl, token_prefix: prefix } = status;
  const facts: [string, ComponentChildren][] = [
    [words.scim.state, enabled ? words.scim.on : words.scim.off],
    [words.scim.baseUrl, <Copy key="url" value={baseUrl} />],
  ];
  if (enabled) {
    const users = toNumber(status.user_count ?? 0);
    const groups = toNumber(status.group_count ?? 0);
    facts.push(
      [words.scim.token, <code key="prefix">{`${prefix ?? ''}…`}</code>],
      [t.key.created, <Time key="created" at={status.created_at} />],
      [t.key.expires, <Time key="expires" at={status.expires_at} />],
      [t.key.used, <Time key="used" at={status.last_used} />],
      [words.scim.provisioned, words.scim.counts(users, groups)],
    );
  }
  return (
    <Section title={words.scim.connection}>
      <div class="card">
        <div class="card-body">
          <Facts facts={facts} />
        </div>
      </div>
    </Section>
  );
}

function Issue({
  status,
  onClose,
  onIssued,
}: {
  readonly status: ScimStatus;
  readonly onClose: () => void;
  readonly onIssued: (token: string) => void;
}) {
  const sending = useSending(['expires_in_days', 'overlap_seconds']);
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('0');
  return (
    <Dialog title={status.enabled ? words.scim.replaceTitle : words.scim.enable} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { days } = fieldsOf(event.currentTarget);
          const body = {
            ...(status.enabled ? { overlap_seconds: Number(overlap) } : {}),
            ...(days ? { expires_in_days: Number(days) } : {}),
          };
          void sending.send(async () =>
            onIssued((await api.organizations.enableScim(organizationId.value, body)).token),
          );
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          {status.enabled ? (
            <Choice
              label={words.scim.overlap}
              values={OVERLAPS.map((seconds) => [seconds, words.scim.overlaps[seconds]] as const)}
              value={overlap}
              onChange={setOverlap}
            />
          ) : null}
          <Field
            label={t.key.expiresIn}
            name="days"
            inputMode="numeric"
            optional
            error={sending.fieldError('expires_in_days')}
          />
        </div>
        <div class="dialog-foot">
          <button class="btn" type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <Submit sending={sending}>{words.scim.issue}</Submit>
        </div>
      </form>
    </Dialog>
  );
}

function Disable({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}) {
  const sending = useSending();
  return (
    <Confirm
      title={words.scim.disableTitle}
      lead={sending.error ?? words.scim.disableLead}
      act={words.scim.disableAct}
      busy={sending.isBusy}
      onClose={onClose}
      onConfirm={async () => {
        const disable = () => api.organizations.disableScim(organizationId.value);
        if (!(await sending.send(disable))) return;
        say(words.scim.disabled);
        await onDone();
        onClose();
      }}
    />
  );
}

function Activity() {
  const { data, error, refetch } = useQuery({
    queryKey: ['scim', 'activity'],
    queryFn: () => api.organizations.listScimActivity(organizationId.value, { limit: 100 }),
  });
  const columns: readonly Column<ScimRequest & { readonly id: string }>[] = [
    {
      title: words.scim.request,
      kind: 'grow',
      cell: ({ method, path }) => (
        <code class="tiny" dir="auto">
          {method} {path}
        </code>
      ),
    },
    { title: t.webhook.status, kind: 'fit', cell: ({ status }) => status },
    {
      title: words.scim.detail,
      cell: ({ detail }) => <span dir="auto">{detail ?? t.common.none}</span>,
    },
    { title: t.audit.time, kind: 'fit', cell: ({ time }) => <Time at={time} /> },
  ];
  return (
    <Section title={words.scim.activity} note={words.scim.activityLead}>
      <DataTable
        caption={words.scim.activity}
        columns={columns}
        list={{
          items: data?.requests.map((request, index) => ({ ...request, id: String(index) })),
          total: data?.requests.length ?? 0,
          offset: 0,
          limit: 100,
          error,
          retry: () => void refetch(),
          href: () => 'scim',
        }}
        empty={<Empty title={words.scim.noActivity} />}
      />
    </Section>
  );
}
