import type { Caller } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { openSession } from '../server/session.ts';
import { visible } from '../terminal/text.ts';
import type { ServerFlags } from './access.ts';
import { identify } from './identity.ts';

/** Characters of a key that tell it from others; the API lists keys with as many. */
const SHOWN_CHARACTERS = 12;

/** Prints the server, and whose the key is. */
export async function whoami(
  flags: ServerFlags & { readonly json?: true },
  context: CommandContext,
): Promise<ExitCode> {
  const { out, signal } = context;
  const session = await openSession(flags, context);
  const { organizationId, organizationName, ...caller } = await identify(session, { signal });
  const { baseUrl, apiKey, source } = session.access;
  const prefix = apiKey.slice(0, Math.min(SHOWN_CHARACTERS, Math.floor(apiKey.length / 3)));
  if (flags.json) {
    const organization = { id: organizationId, name: organizationName, plan: caller.plan };
    const { memberId, credential, role, permissions } = caller;
    const who = { organization, memberId, credential, role, permissions };
    await out.write(`${JSON.stringify({ baseUrl, apiKey: prefix, source, ...who })}\n`);
    return EXIT.ok;
  }
  const name = organizationName === null ? '' : `${visible(organizationName)}, `;
  const lines = [
    ['Server', baseUrl],
    ['API key', `${prefix}… (${source})`],
    ['Organization', `${name}${visible(organizationId)}, plan ${visible(String(caller.plan))}`],
    [titleOf(caller), `${rightsOf(caller)}, as member ${visible(caller.memberId)}`],
  ];
  await out.write(lines.map(([title = '', text]) => `${title.padEnd(14)}${text}\n`).join(''));
  return EXIT.ok;
}

/** What {@link rightsOf} names. */
export function titleOf({ role }: Pick<Caller, 'role'>): string {
  return role === null ? 'Permissions' : 'Role';
}

/** The role or, where an application gave permissions instead of one, these. */
export function rightsOf({ role, permissions }: Pick<Caller, 'role' | 'permissions'>): string {
  return visible(role ?? permissions.join(', '));
}
