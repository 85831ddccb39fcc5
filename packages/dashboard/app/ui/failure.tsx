import {
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  ProbityError,
  RateLimitError,
} from '@probity/client';
import { person } from '../api/session.ts';
import { t } from '../text/index.ts';
import { Icon } from './icon.tsx';

/** The error and its remedy, in the language of the page. */
export function reasonOf(error: unknown): string {
  if (error instanceof ConnectionError) return t.failure.offline;
  if (error instanceof RateLimitError) return t.failure.limited(String(error.retryAfter ?? 60));
  // Role and plan have the same code; the message names the missing plan.
  if (error instanceof PermissionError && !error.message.includes('needs the plan')) {
    return forbidden();
  }
  if (error instanceof NotFoundError) return t.failure.missing;
  if (error instanceof ConflictError) return `${error.message} ${t.failure.conflict}`;
  if (error instanceof ProbityError && error.status === 503) return t.failure.maintenance;
  return error instanceof Error ? error.message : String(error);
}

function forbidden(): string {
  const role = person.value?.caller.role;
  return role ? t.failure.forbidden(t.role[role]) : t.failure.forbiddenByHost;
}

/** Shown instead of a form that the role of the person does not permit. */
export function Forbidden() {
  return (
    <div class="note">
      <Icon name="lock" />
      <div>
        <p>{forbidden()}</p>
      </div>
    </div>
  );
}

/** Shown instead of a part of a page that could not be loaded. */
export function Failure({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => unknown;
}) {
  const id = error instanceof ProbityError ? error.requestId : null;
  return (
    <div class="card">
      <div class="empty" role="alert">
        <Icon name={error instanceof PermissionError ? 'lock' : 'warning'} />
        <h2>{t.failure.title}</h2>
        <p>{reasonOf(error)}</p>
        {id === null ? null : (
          <p class="muted tiny">
            {t.failure.request} <code>{id}</code>
          </p>
        )}
        {retry ? (
          <div class="row">
            <button class="btn" type="button" onClick={retry}>
              {t.common.retry}
            </button>
          </div>
        ) : null}
      </div>
    </div>
  );
}
