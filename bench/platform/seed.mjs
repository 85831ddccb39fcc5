import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from '../shared/server-process.mjs';
import { openSqlite } from '../shared/sqlite.mjs';

/** Members of the organization whose list is read, and of the one that is read itself. */
export const MEMBERS = 1_000;
export const FEW_MEMBERS = 20;

/**
 * Makes a database with a small organization, one of {@link MEMBERS} and one to add members to, and
 * a copy of it for the peer.
 */
export async function seed(folder) {
  const ours = join(folder, 'probity.db');
  const peers = join(folder, 'bare.db');
  const make = (name) => toOrganization(bootstrap(`sqlite:${ours}`, name, `${name}@example.com`));
  const [small, large, growing] = ['small', 'large', 'growing'].map(make);
  const database = await openSqlite(ours);
  addMembers(database, small.id, FEW_MEMBERS);
  addMembers(database, large.id, MEMBERS);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  copyFileSync(ours, peers);
  return { ours, peers, small, large, growing, sealingKey: randomBytes(32).toString('hex') };
}

function toOrganization({ organization_id: id, api_key: key }) {
  return { id, key };
}

function addMembers(database, organizationId, count) {
  const insert = database.prepare(`
    insert into probity_members (id, organization_id, email, email_key, name, role, status, mfa_enabled,
      created_at, last_login) values (?, ?, ?, ?, ?, 'viewer', 'active', 0, ?, ?)`);
  const startedAt = Date.now();
  const addAll = database.transaction(() => {
    for (let index = 1; index < count; index += 1) {
      const id = `mem_${randomBytes(13).toString('hex')}`;
      const email = `Member.${index}@example.com`;
      const at = startedAt + index;
      insert.run(id, organizationId, email, email.toLowerCase(), `Member ${index}`, at, at);
    }
  });
  addAll();
}
