import { existsSync } from 'node:fs';
import { type AuditVerification, silentLogger, verifyAuditChain } from '@probity/core';
import { createSqlPlatformStorage, type SqlDatabase } from '@probity/core/sql';
import { type Environment, readDatabase, type ServerFlags } from './config.ts';
import { openDatabase } from './database.ts';
import { StartFailure } from './failure.ts';

/** Flags of `probity-server audit verify`. */
export interface AuditFlags extends Pick<ServerFlags, 'database'> {
  readonly organization?: string;
}

/**
 * Walks the audit log of every organization, or of one, and prints what it finds, one line for
 * each (contract, section 2).
 *
 * @throws StartFailure when a log is broken, or there is no such database or organization
 */
export async function verifyAuditLogs(flags: AuditFlags, env: Environment): Promise<void> {
  const location = readDatabase(flags, env);
  // A database that is made here would have nothing in it to be wrong.
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    throw new StartFailure(`There is no database file ${location.path}`);
  }
  const database = await openDatabase(location, silentLogger);
  try {
    let broken = 0;
    for (const id of await organizationsOf(database, flags.organization)) {
      const verification = await verifyAuditChain(database, id);
      if (verification.fault) broken += 1;
      process.stdout.write(`${toLine(verification)}\n`);
    }
    if (broken > 0)
      throw new StartFailure(`${broken} audit log${broken > 1 ? 's are' : ' is'} broken`);
  } finally {
    await database.close();
  }
}

async function organizationsOf(
  database: SqlDatabase,
  organization: string | undefined,
): Promise<readonly string[]> {
  const ids = await createSqlPlatformStorage(database).listOrganizationIds();
  if (organization === undefined) return ids;
  if (ids.includes(organization)) return [organization];
  throw new StartFailure(`--organization: there is no organization "${organization}"`);
}

function toLine({ organizationId, entries, fault }: AuditVerification): string {
  const walked = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  if (!fault) return `${organizationId}: whole, ${walked}`;
  const what = fault.reason === 'changed' ? 'was changed' : 'is missing';
  return `${organizationId}: BROKEN, entry ${fault.sequence} ${what}, ${walked} before it whole`;
}
