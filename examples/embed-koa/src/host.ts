import { createHash } from 'node:crypto';
import type { Principal } from '@probity/core';
import type { Migration, SqlDatabase } from '@probity/core/sql';

/** The host's own tables, in the same file as Probity's. */
export const hostMigrations: readonly Migration[] = [
  {
    name: 'host/0001_companies',
    statements: [
      'create table companies (id text primary key, name text not null)',
      `create table users (
        id text primary key,
        company_id text not null references companies (id),
        token_hash text not null unique
      )`,
    ],
  },
];

interface HostTables {
  companies: { id: string; name: string };
  users: { id: string; company_id: string; token_hash: string };
}

/** Stores a company with a user who signs in by this token. */
export async function addCompany(
  database: SqlDatabase,
  company: { readonly id: string; readonly name: string },
  user: { readonly id: string; readonly token: string },
): Promise<void> {
  await database.transaction(async (session) => {
    const tables = session.kysely<HostTables>();
    await tables.insertInto('companies').values(company).execute();
    const row = { id: user.id, company_id: company.id, token_hash: hashToken(user.token) };
    await tables.insertInto('users').values(row).execute();
  });
}

/** The user that a token belongs to, as Probity sees a caller: the company is the organization. */
export async function findCaller(
  database: SqlDatabase,
  token: string | null,
): Promise<Principal | null> {
  if (token === null) return null;
  const user = await database.reader
    .kysely<HostTables>()
    .selectFrom('users')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!user) return null;
  const { id, company_id: organizationId } = user;
  return { organizationId, memberId: id, keyId: id, role: 'member', plan: 'enterprise' };
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
