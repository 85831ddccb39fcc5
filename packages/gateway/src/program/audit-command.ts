import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { silentLogger, systemClock } from '@probity/core';
import type { Node, Scalar } from 'yaml';
import { isMap, parseDocument } from 'yaml';
import { auditMigrations } from '../audit/migrations.ts';
import { createChainSealer } from '../audit/seals.ts';
import { createSqlAuditStore } from '../audit/sql.ts';
import { openGatewayKey } from '../compliance/gateway-key.ts';
import { formatIssue } from '../config/issues.ts';
import { readConfig } from '../config/read-config.ts';
import { createGatewayDatabase } from '../database/gateway-database.ts';
import { databaseOf } from '../database/location.ts';
import type { ProgramContext } from './context.ts';
import { UsageError } from './context.ts';
import { readConfigFile } from './read-file.ts';

const NO_METRICS = { count() {}, observe() {}, gauge() {} };

/**
 * `audit verify`: walks the hash chain of the acts in the audit table of a configuration. A gateway may serve meanwhile.
 *
 * @returns 0 where the chain is intact, else 1
 * @throws UsageError where the configuration is invalid, or there is no database file
 */
export async function verifyAudit(file: string, { env, out, err }: ProgramContext): Promise<0 | 1> {
  const bytes = onlySections(readConfigFile(file), ['audit', 'database']);
  const { config, issues } = await readConfig(bytes, env, dirname(file));
  if (config === undefined) {
    for (const issue of issues) err(`${formatIssue(file, issue)}\n`);
    return 1;
  }
  const location = databaseOf(file, env);
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    throw new UsageError(`there is no database file ${location.path}`);
  }
  const { audit, database: settings } = config;
  const database = createGatewayDatabase({
    ...{ location, settings, migrations: auditMigrations(audit.table_name) },
    ...{ clock: systemClock, logger: silentLogger, metrics: NO_METRICS },
  });
  try {
    const sealer = createChainSealer(openGatewayKey(file, env, silentLogger));
    const store = createSqlAuditStore(database, audit.table_name, sealer);
    const { links, fault, sealedFrom } = await store.verify();
    if (fault === null) {
      const note = (sealedFrom ?? 1) > 1 ? `; acts before ${sealedFrom} were not sealed` : '';
      out(`${audit.table_name}: ${links} acts, intact${note}\n`);
      return 0;
    }
    if (fault.reason === 'unsealed') {
      out(
        `${audit.table_name}: the seal of the chain must be made with the key of this gateway, got none or a wrong one. Acts were deleted, or the key is not the one that sealed them.\n`,
      );
      return 1;
    }
    const { sequence, reason } = fault;
    out(
      `${audit.table_name}: ${links} acts are intact; the one with sequence ${sequence}: ${reason}\n`,
    );
    return 1;
  } finally {
    await database.close();
  }
}

/**
 * Blanks all sections but these, lines kept: a file whose other sections name variables is verified without them. A file
 * that is not a map of sections stays as it is.
 */
function onlySections(bytes: Uint8Array, names: readonly string[]): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  const { contents, errors } = parseDocument(text);
  if (errors.length > 0 || !isMap<Scalar, Node>(contents)) return bytes;
  const [, end] = contents.range ?? [0, 0];
  const starts = contents.items.map(({ key }) => key.range?.[0] ?? 0);
  return Buffer.from(
    contents.items.reduce((kept, { key }, at) => {
      if (names.includes(String(key.value))) return kept;
      const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? end];
      return kept.slice(0, from) + kept.slice(from, to).replace(/[^\n]/g, ' ') + kept.slice(to);
    }, text),
  );
}
