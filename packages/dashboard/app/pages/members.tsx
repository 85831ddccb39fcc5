import type { Member } from '@probity/client';
import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { may, organizationId, person } from '../api/session.ts';
import { t } from '../text/index.ts';
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

type RoleName = Member['role'];

const ROLES = ['owner', 'admin', 'editor', 'member', 'viewer'] as const;

/** The roles that the signed-in person may give: never one above the person's. */
export function grantableRoles(): readonly (readonly [RoleName, string])[] {
  const own = ROLES.indexOf(person.value?.caller.role ?? 'viewer');
  return ROLES.slice(own).map((role) => [role, t.role[role]] as const);
}

/** Members and their roles. */
export function MembersPage() {
  const list = useList(['members'], (page) =>
    api.organizations.listMembers(organizationId.value, page),
  );
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<Member | null>(null);
  return (
    <Page
      title={t.member.title}
      lead={t.member.lead}
      actions={
        may('members:write') ? (
          <button class="btn btn--primary" type="button" onClick={() => setInviting(true)}>
            <Icon name="plus" />
            {t.member.invite}
          </button>
        ) : null
      }
    >
      <DataTable
        caption={t.member.title}
        columns={columnsWith(setRemoved)}
        list={list}
        empty={<Empty title={t.member.title} />}
      />
      {isInviting ? <Invite onClose={() => setInviting(false)} /> : null}
      {removed ? <Remove member={removed} onClose={() => setRemoved(null)} /> : null}
    </Page>
  );
}

function columnsWith(remove: (member: Member) => void): readonly Column<Member>[] {
  const columns: Column<Member>[] = [
    {
      title: t.member.name,
      kind: 'grow',
      cell: ({ name, email }) => (
        <>
          <span class="strong" dir="auto">
            {name ?? email}
          </span>
          <span class="sub">{email}</span>
        </>
      ),
    },
    { title: t.member.role, kind: 'fit', cell: (member) => <RoleOf member={member} /> },
    { title: t.member.status, kind: 'fit', cell: ({ status }) => t.member.statuses[status] },
    {
      title: t.member.mfa,
      kind: 'wide',
      cell: ({ mfa_enabled: isOn }) => (isOn ? t.common.yes : t.common.no),
    },
    { title: t.member.signedIn, kind: 'wide', cell: ({ last_login: at }) => <Time at={at} /> },
  ];
  if (!may('members:write')) return columns;
  return [
    ...columns,
    {
      title: t.scan.action,
      kind: 'fit',
      cell: (member) => (
        <button
          class="btn btn--ghost btn--sm btn--icon"
          type="button"
          aria-label={t.member.removeTitle(member.name ?? member.email)}
          onClick={() => remove(member)}
        >
          <Icon name="trash" />
        </button>
      ),
    },
  ];
}

function RoleOf({ member }: { readonly member: Member }) {
  const queries = useQueryClient();
  const roles = grantableRoles();
  const mayChange = may('members:write') && roles.some(([role]) => role === member.role);
  if (!mayChange) return <>{t.role[member.role]}</>;
  return (
    <select
      class="input input--auto"
      aria-label={`${t.member.role}: ${member.email}`}
      value={member.role}
      onChange={async (event) => {
        const select = event.currentTarget;
        const role = select.value as RoleName;
        try {
          await api.organizations.changeMemberRole(organizationId.value, member.id, { role });
          say(t.member.changed);
        } catch (error) {
          select.value = member.role;
          say(reasonOf(error), true);
        }
        await queries.invalidateQueries({ queryKey: ['members'] });
      }}
    >
      {roles.map(([role, title]) => (
        <option key={role} value={role}>
          {title}
        </option>
      ))}
    </select>
  );
}

function Invite({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const sending = useSending(['email', 'name']);
  const [role, setRole] = useState<RoleName>('member');
  return (
    <Dialog title={t.member.inviteTitle} onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const { email = '', name } = fieldsOf(event.currentTarget);
          const body = { email, role, ...(name ? { name } : {}) };
          const add = () => api.organizations.addMember(organizationId.value, body);
          if (!(await sending.send(add))) return;
          say(t.member.invited(email));
          await queries.invalidateQueries({ queryKey: ['members'] });
          onClose();
        }}
      >
        <div class="dialog-body stack">
          <FormError sending={sending} />
          <Field
            label={t.member.email}
            name="email"
            type="email"
            required
            error={sending.fieldError('email')}
          />
          <Field
            label={t.member.name}
            name="name"
            optional
            maxLength={100}
            error={sending.fieldError('name')}
          />
          <Choice label={t.member.role} values={grantableRoles()} value={role} onChange={setRole} />
        </div>
        <div class="dialog-foot">
          <button class="btn" type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <Submit sending={sending}>{t.member.send}</Submit>
        </div>
      </form>
    </Dialog>
  );
}

function Remove({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const sending = useSending();
  return (
    <Confirm
      title={t.member.removeTitle(member.name ?? member.email)}
      lead={sending.error ?? t.member.removeLead}
      act={t.member.remove}
      busy={sending.isBusy}
      onClose={onClose}
      onConfirm={async () => {
        const remove = () => api.organizations.removeMember(organizationId.value, member.id);
        if (!(await sending.send(remove))) return;
        say(t.member.removed);
        await queries.invalidateQueries({ queryKey: ['members'] });
        onClose();
      }}
    />
  );
}
