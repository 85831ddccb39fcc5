import type { Session } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { person } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Code } from '../ui/copy.tsx';
import type { Column } from '../ui/data-table.tsx';
import { DataTable, Empty } from '../ui/data-table.tsx';
import { Failure, reasonOf } from '../ui/failure.tsx';
import { Field, FormError, fieldsOf, Submit, useSending } from '../ui/form.tsx';
import { Time } from '../ui/format.tsx';
import { useList } from '../ui/list.ts';
import { Facts, Page, Section } from '../ui/page.tsx';
import { say } from '../ui/toasts.tsx';

/** The account of the signed-in person. */
export function ProfilePage() {
  const member = person.value?.session?.member;
  return (
    <Page title={t.nav.profile}>
      {member ? (
        <Section title={t.profile.account}>
          <Facts
            facts={[
              [t.profile.name, member.name ?? t.common.none],
              [t.profile.email, member.email],
              [t.profile.role, t.role[member.role]],
            ]}
          />
        </Section>
      ) : null}
      <PasswordForm />
      <SecondFactor />
      <Sessions />
    </Page>
  );
}

function PasswordForm() {
  const queries = useQueryClient();
  const sending = useSending(['current_password', 'new_password']);
  return (
    <Section title={t.profile.password}>
      <form
        class="form"
        onSubmit={async (event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const { current = '', next = '' } = fieldsOf(form);
          const body = { current_password: current, new_password: next };
          if (!(await sending.send(() => api.auth.changePassword(body)))) return;
          form.reset();
          say(t.profile.changed);
          await queries.invalidateQueries({ queryKey: ['sessions'] });
        }}
      >
        <FormError sending={sending} />
        <Field
          label={t.profile.current}
          name="current"
          type="password"
          autocomplete="current-password"
          required
          error={sending.fieldError('current_password')}
        />
        <Field
          label={t.profile.next}
          name="next"
          type="password"
          autocomplete="new-password"
          required
          hint={t.profile.nextHint}
          error={sending.fieldError('new_password')}
        />
        <div class="row">
          <Submit sending={sending}>{t.profile.change}</Submit>
        </div>
      </form>
    </Section>
  );
}

function SecondFactor() {
  const { data, error, refetch } = useQuery({
    queryKey: ['mfa'],
    queryFn: () => api.auth.getMfa(),
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (!data) return null;
  return (
    <Section title={t.profile.mfa} note={data.enabled ? t.profile.mfaOn : t.profile.mfaOff}>
      {data.enabled ? <TurnOff /> : <TurnOn />}
    </Section>
  );
}

function TurnOn() {
  const queries = useQueryClient();
  const sending = useSending(['password', 'otp']);
  const [secret, setSecret] = useState<string | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  if (codes.length > 0) {
    return (
      <>
        <p>{t.profile.mfaCodes}</p>
        <Code title={t.profile.mfa} text={codes.join('\n')} />
        <div class="row">
          <button
            class="btn"
            type="button"
            onClick={() => void queries.invalidateQueries({ queryKey: ['mfa'] })}
          >
            {t.common.close}
          </button>
        </div>
      </>
    );
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { password = '', otp = '' } = fieldsOf(event.currentTarget);
        void sending.send(async () => {
          if (secret === null) setSecret((await api.auth.beginMfa({ password })).secret);
          else setCodes((await api.auth.confirmMfa({ otp })).recovery_codes);
        });
      }}
    >
      <FormError sending={sending} />
      {secret === null ? (
        <Field
          key="password"
          label={t.profile.current}
          name="password"
          type="password"
          autocomplete="current-password"
          required
          error={sending.fieldError('password')}
        />
      ) : (
        <>
          <Code title={t.profile.mfaSecret} text={secret} />
          <Field
            key="otp"
            label={t.profile.mfaConfirm}
            name="otp"
            autocomplete="one-time-code"
            inputMode="numeric"
            required
            error={sending.fieldError('otp')}
          />
        </>
      )}
      <div class="row">
        <Submit sending={sending}>{t.profile.mfaStart}</Submit>
      </div>
    </form>
  );
}

function TurnOff() {
  const queries = useQueryClient();
  const sending = useSending(['password', 'otp']);
  return (
    <form
      class="form"
      onSubmit={async (event) => {
        event.preventDefault();
        const { password = '', otp = '' } = fieldsOf(event.currentTarget);
        if (!(await sending.send(() => api.auth.disableMfa({ password, otp })))) return;
        await queries.invalidateQueries({ queryKey: ['mfa'] });
      }}
    >
      <FormError sending={sending} />
      <Field
        label={t.profile.current}
        name="password"
        type="password"
        autocomplete="current-password"
        required
        error={sending.fieldError('password')}
      />
      <Field
        label={t.signIn.otp}
        name="otp"
        autocomplete="one-time-code"
        required
        error={sending.fieldError('otp')}
      />
      <div class="row">
        <Submit sending={sending}>{t.profile.mfaStop}</Submit>
      </div>
    </form>
  );
}

function Sessions() {
  const queries = useQueryClient();
  const list = useList(['sessions'], (page) => api.auth.listSessions(page));
  const end = async (session: Session) => {
    try {
      await api.auth.endSession(session.id);
      say(t.profile.ended);
    } catch (error) {
      say(reasonOf(error), true);
    }
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  const columns: readonly Column<Session>[] = [
    {
      title: t.profile.device,
      kind: 'grow',
      cell: (session) => (
        <span dir="auto">
          {session.user_agent ?? t.common.none}
          {session.is_current ? ` (${t.profile.thisOne})` : ''}
        </span>
      ),
    },
    { title: t.profile.address, kind: 'fit', cell: ({ address }) => address ?? t.common.none },
    { title: t.profile.used, kind: 'fit', cell: ({ last_used: at }) => <Time at={at} /> },
    {
      title: t.scan.action,
      kind: 'fit',
      cell: (session) => (
        <button class="btn btn--ghost btn--sm" type="button" onClick={() => void end(session)}>
          {t.profile.end}
        </button>
      ),
    },
  ];
  return (
    <Section title={t.profile.sessions}>
      <DataTable
        caption={t.profile.sessions}
        columns={columns}
        list={list}
        empty={<Empty title={t.profile.sessions} />}
      />
    </Section>
  );
}
