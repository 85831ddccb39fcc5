import type { ApiKey, IssuedApiKey, Member } from '@probity/client';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api, toGeneralUrl } from '../api/connection.ts';
import { may, organizationId } from '../api/session.ts';
import { t } from '../text/index.ts';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Choice, Field, FormError, fieldsOf, Submit, useSending } from '../ui/form.tsx';
import { Time } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { useList } from '../ui/list.ts';
import { Page } from '../ui/page.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { say } from '../ui/toasts.tsx';
import { grantableRoles } from './members.tsx';

/** API keys: made, used, revoked. */
export function ApiKeysPage() {
  const queries = useQueryClient();
  const list = useList(['keys'], (page) =>
    api.organizations.listApiKeys(organizationId.value, page),
  );
  const [isCreating, setCreating] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  return (
    <Page
      title={t.key.title}
      lead={t.key.lead}
      actions={
        may('api_keys:write') ? (
          <button class="btn btn--primary" type="button" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            {t.key.create}
          </button>
        ) : null
      }
    >
      <DataTable
        caption={t.key.title}
        columns={columnsWith(setRevoked)}
        list={list}
        empty={<Empty title={t.key.empty} />}
      />
      {isCreating ? (
        <Create
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setIssued(key);
            void queries.invalidateQueries({ queryKey: ['keys'] });
          }}
        />
      ) : null}
      {issued ? (
        <SecretOnce
          title={t.key.createdTitle}
          lead={t.key.createdLead}
          secret={issued.token}
          example={`curl ${toGeneralUrl('/whoami')} -H "Authorization: Bearer ${issued.token}"`}
          onClose={() => setIssued(null)}
        />
      ) : null}
      {revoked ? <Revoke apiKey={revoked} onClose={() => setRevoked(null)} /> : null}
    </Page>
  );
}

function columnsWith(revoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  const columns: Column<ApiKey>[] = [
    {
      title: t.key.name,
      kind: 'grow',
      cell: ({ name, prefix }) => (
        <>
          <span class="strong" dir="auto">
            {name}
          </span>
          <span class="sub mono">{prefix}…</span>
        </>
      ),
    },
    { title: t.key.role, kind: 'fit', cell: ({ role }) => t.role[role] },
    { title: t.key.used, kind: 'fit', cell: ({ last_used: at }) => <Time at={at} /> },
    { title: t.key.expires, kind: 'wide', cell: ({ expires_at: at }) => <Time at={at} /> },
  ];
  if (!may('api_keys:write')) return columns;
  return [
    ...columns,
    {
      title: t.scan.action,
      kind: 'fit',
      cell: (key) => (
        <button class="btn btn--ghost btn--sm" type="button" onClick={() => revoke(key)}>
          {t.key.revoke}
          <span class="sr"> {key.name}</span>
        </button>
      ),
    },
  ];
}

function Create({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (key: IssuedApiKey) => void;
}) {
  const sending = useSending(['name', 'expires_in_days']);
  const [role, setRole] = useState<Member['role']>('member');
  return (
    <Dialog title={t.key.create} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { name = '', days } = fieldsOf(event.currentTarget);
          const body = { name, role, ...(days ? { expires_in_days: Number(days) } : {}) };
          void sending.send(async () =>
            onCreated(await api.organizations.createApiKey(organizationId.value, body)),
          );
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <Field
            label={t.key.name}
            name="name"
            required
            maxLength={100}
            hint={t.key.nameHint}
            error={sending.fieldError('name')}
          />
          <Choice label={t.key.role} values={grantableRoles()} value={role} onChange={setRole} />
          <Field
            label={t.key.expiresIn}
            name="days"
            type="number"
            min={1}
            optional
            error={sending.fieldError('expires_in_days')}
          />
        </div>
        <div class="dialog-foot">
          <button class="btn" type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <Submit sending={sending}>{t.key.create}</Submit>
        </div>
      </form>
    </Dialog>
  );
}

function Revoke({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const sending = useSending();
  return (
    <Confirm
      title={t.key.revokeTitle(apiKey.name)}
      lead={sending.error ?? t.key.revokeLead}
      act={t.key.revoke}
      busy={sending.isBusy}
      onClose={onClose}
      onConfirm={async () => {
        const revoke = () => api.organizations.revokeApiKey(organizationId.value, apiKey.id);
        if (!(await sending.send(revoke))) return;
        say(t.key.revoked);
        await queries.invalidateQueries({ queryKey: ['keys'] });
        onClose();
      }}
    />
  );
}
