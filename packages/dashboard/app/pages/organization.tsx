import type { Organization, OrganizationChanges } from '@probity/client';
import { ConflictError } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api } from '../api/connection.ts';
import { loadPerson, may, organizationId } from '../api/session.ts';
import { t } from '../text/index.ts';
import { words } from '../text/settings.ts';
import { Copy } from '../ui/copy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Field, FormError, fieldsOf, Submit, TextArea, useSending } from '../ui/form.tsx';
import { Time } from '../ui/format.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { say } from '../ui/toasts.tsx';

/** Name, time zone and IP allowlist of the organization. */
export function OrganizationPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['organization'],
    queryFn: () => api.organizations.get(organizationId.value),
  });
  return (
    <Page title={t.nav.settings}>
      {error ? <Failure error={error} retry={refetch} /> : null}
      {data ? (
        <>
          <Section title={t.nav.organization}>
            <Facts
              facts={[
                [words.settings.id, <Copy key="id" value={data.id} />],
                [words.settings.slug, data.slug],
                [t.key.created, <Time key="created" at={data.created_at} />],
                ...(may('organization:update')
                  ? []
                  : ([
                      [words.settings.name, data.name],
                      [words.settings.timezone, data.timezone],
                      [words.settings.allowlist, listOf(data) || words.settings.everyAddress],
                    ] as const)),
              ]}
            />
          </Section>
          {may('organization:update') ? <General organization={data} /> : null}
          {may('organization:update') ? <Allowlist organization={data} /> : null}
        </>
      ) : null}
    </Page>
  );
}

function listOf({ settings }: Organization): string {
  return settings.ip_allowlist.join('\n');
}

function General({ organization }: { readonly organization: Organization }) {
  const queries = useQueryClient();
  const sending = useSending(['name', 'timezone']);
  return (
    <Section title={words.settings.general}>
      <form
        class="form"
        onSubmit={async (event) => {
          event.preventDefault();
          const { name = '', timezone = '' } = fieldsOf(event.currentTarget);
          const changes = { name, timezone };
          const save = () => api.organizations.update(organization.id, changes);
          if (!(await sending.send(save))) return;
          say(words.settings.saved);
          await Promise.all([
            queries.invalidateQueries({ queryKey: ['organization'] }),
            loadPerson(),
          ]);
        }}
      >
        <FormError sending={sending} />
        <Field
          label={words.settings.name}
          name="name"
          maxLength={100}
          defaultValue={organization.name}
          required
          error={sending.fieldError('name')}
        />
        <Field
          label={words.settings.timezone}
          name="timezone"
          hint={words.settings.timezoneHint}
          defaultValue={organization.timezone}
          required
          error={sending.fieldError('timezone')}
        />
        <div class="row">
          <Submit sending={sending}>{t.common.save}</Submit>
        </div>
      </form>
    </Section>
  );
}

function Allowlist({ organization }: { readonly organization: Organization }) {
  const queries = useQueryClient();
  const sending = useSending();
  const forcing = useSending();
  const [text, setText] = useState(listOf(organization));
  const [lockOut, setLockOut] = useState<string | null>(null);
  const save = async (force: boolean) => {
    const changes: OrganizationChanges = {
      settings: { ip_allowlist: text.split(/[\s,]+/).filter((each) => each !== '') },
    };
    const query = force ? { query: { force } } : {};
    await api.organizations.update(organization.id, changes, query);
    say(words.settings.savedAllowlist);
    setLockOut(null);
    await queries.invalidateQueries({ queryKey: ['organization'] });
  };
  return (
    <Section title={words.settings.allowlist} note={words.settings.allowlistLead}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void sending.send(async () => {
            try {
              await save(false);
            } catch (error) {
              if (!(error instanceof ConflictError)) throw error;
              setLockOut(error.message);
            }
          });
        }}
      >
        <FormError sending={sending} />
        <TextArea
          label={words.settings.addresses}
          hint={words.settings.addressesHint}
          rows={4}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="row">
          <Submit sending={sending}>{words.settings.saveAllowlist}</Submit>
        </div>
      </form>
      {lockOut === null ? null : (
        <Confirm
          title={words.settings.lockOutTitle}
          lead={forcing.error ?? `${words.settings.lockOutLead} ${lockOut}`}
          act={words.settings.lockOutAct}
          busy={forcing.isBusy}
          onClose={() => setLockOut(null)}
          onConfirm={() => void forcing.send(() => save(true))}
        />
      )}
    </Section>
  );
}
