import { InvalidRequestError, ProbityError } from '@probity/client';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../text/index.ts';
import { reasonOf } from './failure.tsx';
import { Icon } from './icon.tsx';

/** The state of a form while it is sent: errors by field, else one for the form. */
export interface Sending {
  readonly isBusy: boolean;
  readonly error: string | null;
  readonly fieldError: (name: string) => string | null;
  /** Sends; after a failure the typed text stays. Resolves to true on success. */
  readonly send: (work: () => Promise<unknown>) => Promise<boolean>;
}

/**
 * Sends a form. An error of the server that names a field that the form has is put there; focus goes to the first.
 * @param fields the fields that show their errors
 */
export function useSending(fields: readonly string[] = []): Sending {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({
    isBusy: false,
    error: null,
  });
  const busy = useRef(false);
  const details = state.error instanceof ProbityError ? state.error.details : [];
  const fieldError = (name: string) =>
    fields.includes(name) ? (details.find(({ field }) => field === name)?.message ?? null) : null;
  const isPlaced =
    state.error instanceof InvalidRequestError &&
    details.some(({ field }) => fields.includes(field));
  return {
    isBusy: state.isBusy,
    error: state.error === null || isPlaced ? null : reasonOf(state.error),
    fieldError,
    async send(work) {
      if (busy.current) return false;
      busy.current = true;
      setState({ isBusy: true, error: null });
      try {
        await work();
        setState({ isBusy: false, error: null });
        return true;
      } catch (error) {
        setState({ isBusy: false, error });
        setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
        return false;
      } finally {
        busy.current = false;
      }
    },
  };
}

/** The error of a whole form, above its button. */
export function FormError({ sending }: { readonly sending: Sending }) {
  if (sending.error === null) return null;
  return (
    <div class="note note--bad" role="alert">
      <Icon name="bad" />
      <div>
        <p>{sending.error}</p>
      </div>
    </div>
  );
}

/** A text field with its label, hint and error. */
export function Field({
  label,
  hint,
  error = null,
  optional = false,
  ...input
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | null | undefined;
  readonly optional?: boolean;
} & JSX.InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Labeled {...{ id, label, hint, error, optional }}>
      <input
        {...input}
        class="input"
        id={id}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null && !hint ? undefined : `${id}-more`}
      />
    </Labeled>
  );
}

/** A field of several lines. */
export function TextArea({
  label,
  hint,
  error = null,
  optional = false,
  ...input
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | null | undefined;
  readonly optional?: boolean;
} & JSX.TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Labeled {...{ id, label, hint, error, optional }}>
      <textarea
        {...input}
        class="input"
        id={id}
        dir="auto"
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null && !hint ? undefined : `${id}-more`}
      />
    </Labeled>
  );
}

/** A choice of one of few values. */
export function Choice<Value extends string>({
  label,
  values,
  value,
  onChange,
}: {
  readonly label: string;
  readonly values: readonly (readonly [value: Value, title: string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <Labeled id={id} label={label} hint={undefined} error={null} optional={false}>
      <select
        class="input"
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {values.map(([each, title]) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </select>
    </Labeled>
  );
}

function Labeled({
  id,
  label,
  hint,
  error,
  optional,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | null;
  readonly optional: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional ? <small> {t.common.optional}</small> : null}
      </label>
      {children}
      {error === null ? (
        hint ? (
          <p class="hint" id={`${id}-more`}>
            {hint}
          </p>
        ) : null
      ) : (
        <p class="error" id={`${id}-more`}>
          <Icon name="bad" />
          {error}
        </p>
      )}
    </div>
  );
}

/** The button that sends a form. */
export function Submit({
  sending,
  large = false,
  children,
}: {
  readonly sending: Sending;
  readonly large?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      class={large ? 'btn btn--primary btn--lg btn--block' : 'btn btn--primary'}
      type="submit"
      aria-busy={sending.isBusy}
      aria-disabled={sending.isBusy}
    >
      {children}
    </button>
  );
}

/** The text fields of a form by name; empty ones are left out. */
export function fieldsOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].filter(([, value]) => value !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
