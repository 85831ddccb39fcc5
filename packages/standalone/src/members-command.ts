import { createRuntime } from '@probity/core';
import type { Account } from '@probity/platform';
import { resetMfa } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import type { MemberFlags } from './command-line.ts';
import { readKeyConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { findServerSecretBox } from './encryption-key.ts';
import { StartFailure } from './failure.ts';

/**
 * Disables the second factor of a member, ends its sessions and prints whose it was.
 * @throws StartFailure when no member has the e-mail address, or several have
 */
export function resetMemberMfa(
  email: string,
  flags: MemberFlags,
  { env, print }: CommandContext,
): Promise<void> {
  const config = readKeyConfig(flags, env);
  return withExistingDatabase(config.database, async (database) => {
    const storage = createSqlPlatformStorage(database);
    const accounts = await storage.findAccountsByEmail(email);
    const { member, organization } = chooseAccount(accounts, email, flags.organization);
    const key = { organizationId: organization.id, memberId: member.id };
    const secretBox = await findServerSecretBox(config, database);
    const runtime = createRuntime({ database, secretBox });
    const wasEnabled = await resetMfa(runtime, { storage }, key, 'members reset-mfa');
    const now = wasEnabled ? 'is disabled' : 'was not enabled; nothing was changed';
    print(`the second factor of ${member.id} in ${organization.id} ${now}\n`);
  });
}

function chooseAccount(
  accounts: readonly Account[],
  email: string,
  organizationId: string | undefined,
): Account {
  const chosen = accounts.filter(
    ({ organization }) => organizationId === undefined || organization.id === organizationId,
  );
  const [account] = chosen;
  if (!account) throw new StartFailure(`No member has the e-mail address "${email}"`);
  if (chosen.length === 1) return account;
  const ids = chosen.map(({ organization }) => organization.id);
  throw new StartFailure(
    `Several organizations have "${email}"; add --organization, one of ${ids.join(', ')}`,
  );
}
