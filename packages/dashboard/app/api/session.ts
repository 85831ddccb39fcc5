import { computed, signal } from '@preact/signals';
import type { Caller, CurrentSession } from '@probity/client';
import { AuthenticationError } from '@probity/client';
import { api, csrfToken, hasEnded, tellWindows } from './connection.ts';

/** Who is signed in: the caller always, the session where the platform is part of the server. */
export interface SignedInPerson {
  readonly caller: Caller;
  readonly session: CurrentSession;
}

/** Undefined until it is known; null without a session. */
export const person = signal<SignedInPerson | null | undefined>(undefined);

/** The id of the organization; pages are shown to signed-in people alone. */
export const organizationId = computed(() => person.value?.caller.organizationId ?? '');

/** Whether the signed-in person may do this. */
export function may(permission: string): boolean {
  return person.value?.caller.permissions.includes(permission) ?? false;
}

/** Finds out who is signed in. */
export async function loadPerson(): Promise<void> {
  if (csrfToken() === null) {
    person.value = null;
    return;
  }
  try {
    const [caller, session] = await Promise.all([api.whoami.get(), api.auth.getSession()]);
    person.value = { caller, session };
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    person.value = null;
  }
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
