import { contextOf, createRuntime, createTenants } from '@probity/core';
import { coreMigrations, createSqliteDatabase, migrate } from '@probity/core/sql';
import { createKnowledgeImports } from '../../src/index.ts';
import { createSqlKnowledgeStorage, knowledgeMigrations } from '../../src/sql.ts';

/**
 * A program that imports a generated file into SQLite and prints what became of it:
 * `node import-program.js DATABASE FORMAT STRICT ROWS CHARACTERS`.
 */
const [path = '', format = 'csv', strict, rows, characters] = process.argv.slice(2);
const PART = 50;

/** Every tenth row has no address, which is refused. */
function rowOf(at: number): { claim: string; source_url: string } {
  const words = 'so '.repeat(Math.floor(Number(characters) / 3));
  const isGood = strict === 'true' || at % 10 !== 9;
  return {
    claim: `Statement ${at} says ${words}`,
    source_url: isGood ? `https://facts.example/${at}` : 'nowhere',
  };
}

async function* file(): AsyncGenerator<Uint8Array> {
  const isCsv = format === 'csv';
  yield Buffer.from(isCsv ? 'claim,source_url\n' : '[');
  for (let from = 0; from < Number(rows); from += PART) {
    const part = Array.from({ length: PART }, (_, of) => {
      const row = rowOf(from + of);
      if (isCsv) return `${row.claim},${row.source_url}\n`;
      return `${from + of > 0 ? ',' : ''}${JSON.stringify(row)}`;
    });
    yield Buffer.from(part.join(''));
  }
  if (!isCsv) yield Buffer.from(']');
}

const database = createSqliteDatabase({ path });
await migrate(database, [...coreMigrations, ...knowledgeMigrations]);
const tenants = createTenants(database);
const imports = createKnowledgeImports(createRuntime({ database, tenants }), {
  storage: createSqlKnowledgeStorage(database),
});
const context = contextOf({ organizationId: 'acme' });
const result = await imports.importFile(context, file(), {
  format: format === 'csv' ? 'csv' : 'json',
  strict: strict === 'true',
});
await database.close();
const { created, failed, errors } = result;
const rssBytes = process.resourceUsage().maxRSS * 1_024;
process.stdout.write(`${JSON.stringify({ created, failed, errors: errors.length, rssBytes })}\n`);
