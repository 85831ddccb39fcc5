import type { AuditVerification } from '@probity/core';
import { verifyAuditChain } from '@probity/core';
import { verifyAuditRegister } from '@probity/core/internal';
import type { SqlDatabase } from '@probity/core/sql';
import { coreMigrations, pendingMigrations } from '@probity/core/sql';
import { createSqlPlatformStorage, platformMigrations } from '@probity/platform/sql';
import type { AuditFlags } from './command-line.ts';
import { readKeyConfig } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { findServerSecretBox } from './encryption-key.ts';
import { StartFailure } from './failure.ts';

/**
 * Walks the audit log of every organization, or of one, and prints what it finds, one line for
 * each (contract, section 2). Without the encryption key the seals of the logs are not verified.
 * Reads only, also from the database of an application that embeds Probity.
 *
 * @throws StartFailure when a log is broken or lacks an expected entry, there was none to verify, or
 *   there is no such database or organization
 */
export function verifyAuditLogs(flags: AuditFlags, { env, print }: CommandContext): Promise<void> {
  const config = readKeyConfig(flags, env);
  const expected = (flags.expect ?? []).map(parseExpected);
  const verify = async (database: SqlDatabase) => {
    const secretBox = await findServerSecretBox(config, database, true);
    const organizations = await readOrganizations(database);
    let verified = 0;
    let broken = 0;
    for await (const id of tenantsOf(database, flags.organization)) {
      const verification = await verifyAuditChain(database, id, secretBox);
      if (!organizations.has(id) && (await isUnused(database, verification))) {
        print(`${id}: no entries\n`);
        continue;
      }
      verified += 1;
      if (verification.fault) broken += 1;
      print(`${toLine(verification, secretBox !== undefined)}\n`);
    }
    for (const place of expected) {
      const fault = await findDifference(database, place);
      if (!fault) continue;
      broken += 1;
      print(`${place.organizationId}: BROKEN, entry ${place.sequence} ${fault}\n`);
    }
    if (secretBox && flags.organization === undefined) {
      const { faults } = await verifyAuditRegister(database, secretBox);
      if (faults.length > 0) broken += 1;
      for (const fault of faults) print(`register of audit logs: BROKEN, ${fault}\n`);
    }
    if (broken > 0)
      throw new StartFailure(`${broken} audit log${broken > 1 ? 's are' : ' is'} broken`);
    if (verified === 0) throw new StartFailure('0 audit logs: there was nothing to verify');
  };
  return withExistingDatabase(config.database, verify, coreMigrations);
}

const TENANTS_PER_LOOK = 500;

async function* tenantsOf(
  database: SqlDatabase,
  organization: string | undefined,
): AsyncGenerator<string> {
  const reads = database.kernel(database.reader);
  if (organization !== undefined) {
    if (await reads.hasTenant(organization)) yield organization;
    else throw new StartFailure(`--organization: no organization has the id "${organization}"`);
    return;
  }
  for (let after = ''; ; ) {
    const ids = await reads.listTenants(after, TENANTS_PER_LOOK);
    yield* ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < TENANTS_PER_LOOK) return;
    after = last;
  }
}

/** The platform's organizations, each of which has an entry of its creation; none in an application. */
async function readOrganizations(database: SqlDatabase): Promise<ReadonlySet<string>> {
  const pending = await pendingMigrations(database, platformMigrations);
  if (pending.length > 0) return new Set();
  return new Set(await createSqlPlatformStorage(database).listOrganizationIds());
}

/** Whether nothing was ever recorded for the organization, as far as the database shows. */
async function isUnused(
  database: SqlDatabase,
  { organizationId, entries, end, fault }: AuditVerification,
): Promise<boolean> {
  if (entries > 0 || end || fault?.sequence !== 1) return false;
  const reads = database.kernel(database.reader);
  const [first] = await reads.readAuditChain(organizationId, 0, 1);
  return !first && (await reads.findAuditRecord(organizationId)) === null;
}

interface Expected {
  readonly organizationId: string;
  readonly sequence: number;
  readonly hash: string;
}

/** An organization's id may contain colons. */
function parseExpected(text: string): Expected {
  const [, organizationId, sequence, hash] = /^(.+):([1-9]\d*):([0-9a-f]{64})$/.exec(text) ?? [];
  if (organizationId && sequence && hash) {
    return { organizationId, sequence: Number(sequence), hash };
  }
  throw new StartFailure(
    `--expect: "${text}" must be ORGANIZATION:SEQUENCE:HASH, as audit verify prints it`,
  );
}

/** Why the log does not have the expected entry; null when it has. */
async function findDifference(
  database: SqlDatabase,
  { organizationId, sequence, hash }: Expected,
): Promise<string | null> {
  const reads = database.kernel(database.reader);
  const checkpoint = await reads.findAuditCheckpoint(organizationId);
  if (checkpoint && checkpoint.sequence > sequence) {
    return 'was removed by retention: expect a later one';
  }
  const [entry] = await reads.readAuditChain(organizationId, sequence - 1, 1);
  const found = checkpoint?.sequence === sequence ? checkpoint : entry;
  if (found?.sequence !== sequence) return 'is missing, which was expected';
  return found.hash === hash ? null : 'has another hash than was expected';
}

const FAULTS = {
  changed: 'was changed',
  missing: 'is missing',
  added: 'was added',
  unsealed: 'is not the end that was sealed: the log was recomputed or cut',
} as const;

function toLine(verification: AuditVerification, hasKey: boolean): string {
  const { organizationId, entries, fault, end } = verification;
  const walked = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  if (fault?.reason === 'lost') {
    const proven = `entries consistent, but not sealed before entry ${fault.sequence}`;
    return `${organizationId}: BROKEN, ${proven}`;
  }
  if (fault) {
    const found = `${organizationId}: BROKEN, entry ${fault.sequence} ${FAULTS[fault.reason]}`;
    return fault.reason === 'unsealed' ? found : `${found}, ${walked} before it intact`;
  }
  const last = end ? `; last entry ${organizationId}:${end.sequence}:${end.hash}` : '';
  return `${organizationId}: ${toPromise(verification, walked, hasKey)}${last}`;
}

/** What the log proves: a hash chain alone can be recomputed with write access to the database. */
function toPromise({ keyedFrom }: AuditVerification, walked: string, hasKey: boolean): string {
  if (!hasKey) return `consistent, ${walked}, hash chain only (no encryption key)`;
  if (keyedFrom === null) return `consistent, ${walked}, hash chain only`;
  if (keyedFrom === 1) return `intact, ${walked}, keyed`;
  return `consistent, ${walked}, not sealed before entry ${keyedFrom}`;
}
