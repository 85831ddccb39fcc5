import type { AuditVerification } from '@probity/core';
import { verifyAuditChain } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import type { AuditFlags } from './command-line.ts';
import { readKeyConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { findServerSecretBox } from './encryption-key.ts';
import { StartFailure } from './failure.ts';

/**
 * Walks the audit log of every organization, or of one, and prints what it finds, one line for
 * each (contract, section 2). Without the encryption key the seals of the logs are not verified.
 *
 * @throws StartFailure when a log is broken, or there is no such database or organization
 */
export function verifyAuditLogs(flags: AuditFlags, { env, print }: CommandContext): Promise<void> {
  const config = readKeyConfig(flags, env);
  return withExistingDatabase(config.database, async (database) => {
    const secretBox = await findServerSecretBox(config, database);
    let broken = 0;
    for (const id of await organizationsOf(database, flags.organization)) {
      const verification = await verifyAuditChain(database, id, secretBox);
      if (verification.fault) broken += 1;
      print(`${toLine(verification, secretBox !== undefined)}\n`);
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

const FAULTS = {
  changed: 'was changed',
  missing: 'is missing',
  added: 'was added',
  unsealed: 'is not the end that was sealed',
} as const;

function toLine(verification: AuditVerification, hasKey: boolean): string {
  const { organizationId, entries, fault } = verification;
  const walked = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  if (!fault) return `${organizationId}: intact, ${walked}, ${toPromise(verification, hasKey)}`;
  const found = `${organizationId}: BROKEN, entry ${fault.sequence} ${FAULTS[fault.reason]}`;
  if (fault.reason === 'unsealed') return `${found}: the log was recomputed or cut`;
  return `${found}, ${walked} before it intact`;
}

/** What the log proves: a hash chain alone can be recomputed with write access to the database. */
function toPromise({ keyedFrom }: AuditVerification, hasKey: boolean): string {
  if (!hasKey) return 'hash chain only (no encryption key)';
  if (keyedFrom === null) return 'hash chain only';
  return keyedFrom === 1 ? 'keyed' : `keyed from entry ${keyedFrom} on`;
}
