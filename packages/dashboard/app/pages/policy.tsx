import type { Policy } from '@probity/client';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api } from '../api/connection.ts';
import { may } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Code } from '../ui/copy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Field, FormError, Submit, TextArea, useSending } from '../ui/form.tsx';
import { Time, toNumber } from '../ui/format.tsx';
import { Icon } from '../ui/icon.tsx';
import { toHref } from '../ui/link.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import type { RuleDraft } from '../ui/rule-editor.tsx';
import { RuleEditor, toDraft, toRule } from '../ui/rule-editor.tsx';
import { say } from '../ui/toasts.tsx';
import { useGuardedForm } from '../ui/unsaved.ts';
import { Mode } from './policies.tsx';

const FIELDS = ['name', 'description'];

/** The policy that every organization starts with; it can be turned off, not deleted. */
const BUILT_IN = 'pol_builtin';

/** The edited fields. */
interface Draft {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly monitor: boolean;
  readonly isDefault: boolean;
  readonly rules: readonly RuleDraft[];
}

const NEW: Draft = {
  name: '',
  description: '',
  enabled: true,
  monitor: false,
  isDefault: true,
  rules: [{ stage: 'pii_scanner', types: '', threshold: '0.6', action: 'block' }],
};

/** One policy, to read or to edit; `new` is the address of one that is being made. */
export function PolicyPage() {
  const { id = '' } = useRoute().params;
  const isNew = id === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: ['policy', id],
    queryFn: () => api.governance.getPolicy(id),
    enabled: !isNew,
  });
  if (isNew) return <Editor key="new" policy={null} />;
  if (error)
    return (
      <Page title={t.policy.title}>
        <Failure error={error} retry={refetch} />
      </Page>
    );
  if (!data) return <Page title={t.policy.title}>{null}</Page>;
  // A policy that somebody else changed is edited from its new version on.
  return <Editor key={`${data.id} ${data.version}`} policy={data} />;
}

function Editor({ policy }: { readonly policy: Policy | null }) {
  const first = policy === null ? NEW : toPolicyDraft(policy);
  const [draft, setDraft] = useState(first);
  const isBuiltIn = policy?.id === BUILT_IN;
  const mayEdit = may('policies:write');
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const { sending, save } = useSaving(policy, draft);
  useGuardedForm(mayEdit && draft !== first && !sending.isBusy);
  return (
    <Page
      title={policy?.name ?? t.policy.newName}
      badge={policy ? <Mode policy={policy} /> : null}
      lead={isBuiltIn ? t.policy.builtIn : (policy?.description ?? t.policy.strictest)}
      actions={policy && mayEdit && !isBuiltIn ? <Delete policy={policy} /> : null}
    >
      <div class="cols cols--half">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <fieldset class="stack" disabled={!mayEdit}>
            <legend class="sr">{t.policy.edit}</legend>
            <FormError sending={sending} />
            <Names draft={draft} change={change} errorOf={sending.fieldError} />
            <Switches draft={draft} change={change} />
            <RuleEditor
              rules={draft.rules}
              isDisabled={!mayEdit}
              onChange={(rules) => change({ rules })}
              errorOf={sending.fieldError}
            />
          </fieldset>
          {mayEdit ? (
            <div class="row">
              <Submit sending={sending}>{t.common.save}</Submit>
            </div>
          ) : null}
        </form>
        <div class="stack">
          <Section title={t.policy.json}>
            <Code title={t.policy.json} text={JSON.stringify(toBody(draft), null, 2)} />
          </Section>
          {policy ? <Versions id={policy.id} /> : null}
        </div>
      </div>
    </Page>
  );
}

function Names({
  draft,
  change,
  errorOf,
}: {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly errorOf: (field: string) => string | null;
}) {
  return (
    <>
      <Field
        label={t.policy.name}
        value={draft.name}
        required
        maxLength={100}
        error={errorOf('name')}
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
      <TextArea
        label={t.policy.description}
        rows={2}
        optional
        value={draft.description}
        error={errorOf('description')}
        onInput={(event) => change({ description: event.currentTarget.value })}
      />
    </>
  );
}

function Switches({
  draft,
  change,
}: {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}) {
  const switches = [
    ['enabled', t.policy.enabled],
    ['monitor', t.policy.monitor],
    ['isDefault', t.policy.applies],
  ] as const;
  return (
    <div class="stack stack--tight">
      {switches.map(([name, title]) => (
        <label class="choice" key={name}>
          <input
            class="tick"
            type="checkbox"
            checked={draft[name]}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
          <span>{title}</span>
        </label>
      ))}
    </div>
  );
}

function useSaving(policy: Policy | null, draft: Draft) {
  const queries = useQueryClient();
  const { route } = useLocation();
  const rules = draft.rules.flatMap((_, index) =>
    ['stage', 'types', 'threshold', 'action'].map((field) => `rules.${index}.${field}`),
  );
  const sending = useSending([...FIELDS, ...rules]);
  const save = () =>
    sending.send(async () => {
      const body = toBody(draft);
      const saved =
        policy === null
          ? await api.governance.createPolicy(body)
          : await api.governance.updatePolicy(policy.id, body);
      say(t.policy.saved);
      await queries.invalidateQueries({ queryKey: ['policies'] });
      queries.setQueryData(['policy', saved.id], saved);
      if (policy === null) route(toHref(`policies/${saved.id}`));
    });
  return { sending, save };
}

function Delete({ policy }: { readonly policy: Policy }) {
  const queries = useQueryClient();
  const { route } = useLocation();
  const [isAsking, setAsking] = useState(false);
  const sending = useSending();
  return (
    <>
      <button class="btn" type="button" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        {t.policy.delete}
      </button>
      {isAsking ? (
        <Confirm
          title={policy.name}
          lead={sending.error ?? t.policy.deleteLead}
          act={t.policy.delete}
          busy={sending.isBusy}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            if (!(await sending.send(() => api.governance.deletePolicy(policy.id)))) return;
            await queries.invalidateQueries({ queryKey: ['policies'] });
            route(toHref('policies'));
          }}
        />
      ) : null}
    </>
  );
}

function Versions({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['policy', id, 'versions'],
    queryFn: () => api.governance.listPolicyVersions(id, { limit: 20 }).page(),
  });
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <Section title={t.policy.versions}>
      <ol class="trail">
        {data?.items.map(({ version, createdAt, memberId, rules, enabled, mode }) => (
          <li key={version}>
            <span class="trail-dot">
              <Icon name="history" />
            </span>
            <p>
              <b>
                {t.policy.version} {toNumber(version)}
              </b>{' '}
              <Time at={createdAt} /> <Person id={memberId} />
            </p>
            <p class="sub">
              {enabled ? t.policy[mode] : t.policy.off}, {t.policy.rules}: {toNumber(rules.length)}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function toPolicyDraft(policy: Policy): Draft {
  return {
    name: policy.name,
    description: policy.description ?? '',
    enabled: policy.enabled,
    monitor: policy.mode === 'monitor',
    isDefault: policy.default,
    rules: policy.rules.map(toDraft),
  };
}

function toBody({ name, description, enabled, monitor, isDefault, rules }: Draft) {
  return {
    name,
    description: description === '' ? null : description,
    enabled,
    mode: monitor ? ('monitor' as const) : ('enforce' as const),
    default: isDefault,
    rules: rules.map(toRule),
  };
}
