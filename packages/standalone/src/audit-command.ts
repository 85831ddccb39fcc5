import type { AuditVerification } from '@probity/core';
import { verifyAuditChain } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import type { AuditFlags } from './command-line.ts';
import { readDatabase } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { StartFailure } from './failure.ts';

/**
 * Walks the audit log of every organization, or of one, and prints what it finds, one line for
 * each (contract, section 2).
 *
 * @throws StartFailure when a log is broken, or there is no such database or organization
 */
export function verifyAuditLogs(flags: AuditFlags, { env, print }: CommandContext): Promise<void> {
  return withExistingDatabase(readDatabase(flags, env), async (database) => {
    let broken = 0;
    for (const id of await organizationsOf(database, flags.organization)) {
      const verification = await verifyAuditChain(database, id);
      if (verification.fault) broken += 1;
      print(`${toLine(verification)}\n`);
    }
    if (broken > 0)
      throw new StartFailure(`${broken} audit log${broken > 1 ? 's are' : ' is'} broken`);
  });
}

async function organizationsOf(
  database: SqlDatabase,
  organization: string | undefined,
): Promise<readonly string[]> {
  const ids = await createSqlPlatformStorage(database).listOrganizationIds();
  if (organization === undefined) return ids;
  if (ids.includes(organization)) return [organization];
  throw new StartFailure(`--organization: no organization has the id "${organization}"`);
}

const FAULTS = { changed: 'was changed', missing: 'is missing', added: 'was added' } as const;

function toLine({ organizationId, entries, fault }: AuditVerification): string {
  const walked = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  if (!fault) return `${organizationId}: intact, ${walked}`;
  return `${organizationId}: BROKEN, entry ${fault.sequence} ${FAULTS[fault.reason]}, ${walked} before it intact`;
}
