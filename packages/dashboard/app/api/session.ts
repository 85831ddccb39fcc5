import { computed, signal } from '@preact/signals';
import type { Caller, CurrentSession } from '@probity/client';
import { AuthenticationError } from '@probity/client';
import { api, csrfToken, documentUrl, hasEnded, hasPlatform, tellWindows } from './connection.ts';

/** Who is signed in. */
export interface SignedInPerson {
  readonly caller: Caller;
  /** Null where people sign in to the host's application. */
  readonly session: CurrentSession | null;
  /** Ids of the operations that the host's application serves; null where all are served. */
  readonly served: ReadonlySet<string> | null;
}

/** Undefined until it is known; null without a session. */
export const person = signal<SignedInPerson | null | undefined>(undefined);

/** Why it is not known who is signed in, for instance a server that does not answer. */
export const unknownReason = signal<unknown>(null);

/** The id of the organization; pages are shown to signed-in people alone. */
export const organizationId = computed(() => person.value?.caller.organizationId ?? '');

/** Whether the signed-in person may do this. */
export function may(permission: string): boolean {
  return person.value?.caller.permissions.includes(permission) ?? false;
}

/** Whether the server has this operation, by its id in the OpenAPI document. */
export function serves(operation: string): boolean {
  return person.value?.served?.has(operation) ?? true;
}

/** Finds out who is signed in. */
export async function loadPerson(): Promise<void> {
  unknownReason.value = null;
  try {
    person.value = hasPlatform ? await findMember() : await findUserOfHost();
  } catch (error) {
    // A page that is open stays, with the dialog that asks to sign in again.
    if (error instanceof AuthenticationError) person.value ??= null;
    else unknownReason.value = error;
  }
}

async function findMember(): Promise<SignedInPerson | null> {
  if (csrfToken() === null) return null;
  const [caller, session] = await Promise.all([api.whoami.get(), api.auth.getSession()]);
  return { caller, session, served: null };
}

async function findUserOfHost(): Promise<SignedInPerson> {
  const [caller, served] = await Promise.all([api.whoami.get(), loadServed()]);
  hasEnded.value = false;
  return { caller, session: null, served };
}

/** The operations of the host's OpenAPI document. */
async function loadServed(): Promise<ReadonlySet<string>> {
  const response = await fetch(documentUrl, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${documentUrl.pathname}: HTTP ${response.status}`);
  const { paths } = (await response.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string }>>>>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return new Set(operations.flatMap(({ operationId }) => operationId ?? []));
}

/** The fields of the sign-in form. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly otp?: string;
  readonly organization_id?: string;
}

/** Signs in, for all windows. */
export async function signIn(credentials: Credentials): Promise<void> {
  await api.auth.logIn(credentials);
  hasEnded.value = false;
  tellWindows('signed-in');
  await loadPerson();
}

/** Signs out, in all windows; a reload of the page clears its memory. */
export async function signOut(): Promise<void> {
  await api.auth.logOut();
  tellWindows('signed-out');
  location.assign(document.baseURI);
}
