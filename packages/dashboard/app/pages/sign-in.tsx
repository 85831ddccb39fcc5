import { ProbityError } from '@probity/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, hasPlatform } from '../api/connection.ts';
import { loadPerson, signIn } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Choice, Field, FormError, fieldsOf, Submit, useSending } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';

/** The sign-in page, shown at every address; after the sign-in the page of the address follows. */
export function Gate() {
  const [isForgotten, setForgotten] = useState(false);
  if (!hasPlatform) {
    return (
      <GateBox>
        <header>
          <h1>{t.signIn.host}</h1>
          <p>{t.signIn.hostLead}</p>
        </header>
        <SignInToHost />
      </GateBox>
    );
  }
  return (
    <GateBox>
      {isSecureContext ? null : (
        <div class="note note--warn">
          <Icon name="warning" />
          <div>
            <p>{t.signIn.insecure}</p>
          </div>
        </div>
      )}
      {isForgotten ? <Forgotten onBack={() => setForgotten(false)} /> : <SignIn />}
      {isForgotten ? null : (
        <button class="btn btn--ghost" type="button" onClick={() => setForgotten(true)}>
          {t.signIn.forgot}
        </button>
      )}
    </GateBox>
  );
}

/** The host's application signs people in; here they can only go on afterwards. */
export function SignInToHost() {
  return (
    <div class="row">
      <a class="btn" href="/" target="_blank" rel="noreferrer">
        {t.signIn.hostOpen}
      </a>
      <button class="btn btn--primary" type="button" onClick={() => void loadPerson()}>
        {t.common.retry}
      </button>
    </div>
  );
}

/** The frame of a page for people who are not signed in. */
export function GateBox({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="gate">
      <main class="gate-main" id="main" tabIndex={-1}>
        <div class="gate-box">
          <p class="brand">
            <Icon name="brand" />
            Probity
          </p>
          {children}
          <p class="gate-foot">
            <span>{location.host}</span>
          </p>
        </div>
      </main>
    </div>
  );
}

function SignIn() {
  return (
    <>
      <header>
        <h1>{t.signIn.title}</h1>
        <p>{t.signIn.lead}</p>
      </header>
      <SignInForm />
    </>
  );
}

/** The form: asks for a one-time password and for the organization where the server needs them. */
export function SignInForm({ email = '' }: { readonly email?: string | undefined }) {
  const sending = useSending(['email', 'password', 'otp']);
  const [needsOtp, setNeedsOtp] = useState(false);
  const [choices, setChoices] = useState<readonly string[]>([]);
  const [organization, setOrganization] = useState('');
  const submit = (form: HTMLFormElement) =>
    sending.send(async () => {
      const { email: address = '', password = '', otp } = fieldsOf(form);
      try {
        await signIn({
          email: address,
          password,
          ...(otp ? { otp } : {}),
          ...(organization ? { organization_id: organization } : {}),
        });
      } catch (error) {
        const details = error instanceof ProbityError ? error.details : [];
        const found = details.filter(({ field }) => field === 'organization_id');
        if (found.length > 0) {
          setChoices(found.map(({ message }) => message));
          setOrganization(found[0]?.message.split(' ')[0] ?? '');
        }
        const asksOtp = details.some(({ field }) => field === 'otp');
        if (asksOtp) setNeedsOtp(true);
        if (found.length > 0 || (asksOtp && !otp)) return;
        throw error;
      }
    });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <FormError sending={sending} />
      <Field
        label={t.signIn.email}
        name="email"
        type="email"
        autocomplete="username"
        defaultValue={email}
        required
        error={sending.fieldError('email')}
      />
      <Field
        label={t.signIn.password}
        name="password"
        type="password"
        autocomplete="current-password"
        required
        error={sending.fieldError('password')}
      />
      {needsOtp ? (
        <Field
          label={t.signIn.otp}
          name="otp"
          autocomplete="one-time-code"
          hint={t.signIn.otpHint}
          required
          error={sending.fieldError('otp')}
        />
      ) : null}
      {choices.length > 0 ? (
        <>
          <p class="hint">{t.signIn.organizationHint}</p>
          <Choice
            label={t.signIn.organization}
            values={choices.map((choice) => [choice.split(' ')[0] ?? choice, choice] as const)}
            value={organization}
            onChange={setOrganization}
          />
        </>
      ) : null}
      <Submit sending={sending} large>
        {t.signIn.submit}
      </Submit>
    </form>
  );
}

function Forgotten({ onBack }: { readonly onBack: () => void }) {
  const sending = useSending(['email']);
  const [isDone, setDone] = useState(false);
  return (
    <>
      <header>
        <h1>{t.signIn.resetTitle}</h1>
        <p>{isDone ? t.signIn.resetDone : t.signIn.resetLead}</p>
      </header>
      {isDone ? null : (
        <form
          class="form"
          onSubmit={async (event) => {
            event.preventDefault();
            const { email = '' } = fieldsOf(event.currentTarget);
            if (await sending.send(() => api.auth.forgetPassword({ email }))) setDone(true);
          }}
        >
          <FormError sending={sending} />
          <Field
            label={t.signIn.email}
            name="email"
            type="email"
            autocomplete="username"
            required
            error={sending.fieldError('email')}
          />
          <Submit sending={sending} large>
            {t.signIn.resetSubmit}
          </Submit>
        </form>
      )}
      <button class="btn btn--ghost" type="button" onClick={onBack}>
        {t.signIn.toSignIn}
      </button>
    </>
  );
}
