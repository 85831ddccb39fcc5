import type { ScimStorage, ScimUser } from '@probity/scim';
import { createUserTableStorage, foldMailbox, restoreUser } from '@probity/scim';
import type { Database } from 'better-sqlite3';

/** The table `people` as SCIM sees it; what it has no column for is in `profile`. */
export function createPeopleStorage(db: Database): ScimStorage {
  db.function('fold', { deterministic: true }, (text) => foldMailbox(String(text)));
  const select = (condition: string, ...values: string[]) =>
    db.prepare(`select * from people where company = ? ${condition}`).all(values).map(toUser);
  const write = (sql: string, user: ScimUser) => db.prepare(sql).run(toRow(user));
  return createUserTableStorage({
    list: (company) => select('', company),
    find: (company, by, value) =>
      select(`and ${by === 'id' ? 'id = ?' : 'fold(email) = fold(?)'}`, company, value)[0] ?? null,
    insert: (user) =>
      write('insert into people values (@id, @company, @email, @name, @disabled, @profile)', user),
    update: (user) =>
      write(
        `update people set email = @email, name = @name, disabled = @disabled, profile = @profile
          where id = @id`,
        user,
      ),
    remove: (company, id) =>
      db.prepare('delete from people where company = ? and id = ?').run(company, id),
    execute: (statement) => db.exec(statement),
  });
}

function toRow(user: ScimUser) {
  const { id, organizationId: company, userName: email, active, attributes } = user;
  const name = (attributes.displayName ?? null) as string | null;
  return { id, company, email, name, disabled: Number(!active), profile: JSON.stringify(user) };
}

function toUser(row: unknown): ScimUser {
  const { company, email, name, disabled, profile, id } = row as ReturnType<typeof toRow>;
  const columns = { id, organizationId: company, userName: email, displayName: name };
  return restoreUser(profile, { ...columns, active: disabled === 0 });
}
