import type { ScimStorage, ScimUser } from '@probity/scim';
import { NO_GROUPS, scimError, selectUsers } from '@probity/scim';
import type { Database } from 'better-sqlite3';

/** The table `people` as SCIM sees it; what it has no column for is in `profile`. */
export function createPeopleStorage(db: Database): ScimStorage {
  const all = (company: string) =>
    db.prepare('select * from people where company = ?').all(company).map(toUser);
  const find = (column: 'id' | 'email', company: string, value: string) =>
    db.prepare(`select * from people where company = ? and ${column} = ?`).get(company, value);
  const write = (sql: string, user: ScimUser) => db.prepare(sql).run(toRow(user)).changes === 1;
  const operations: Omit<ScimStorage, 'transaction'> & Parameters<Work>[0] = {
    ...NO_GROUPS,
    findUser: async (company, id) => toUserOrNull(find('id', company, id)),
    findUserByName: async (company, name) => toUserOrNull(find('email', company, name)),
    listUsers: async (company, query) => selectUsers(all(company), query),
    countUsers: async (company) => all(company).length,
    async insertUser(user) {
      if (find('email', user.organizationId, user.userName)) throw taken();
      write('insert into people values (@id, @company, @email, @name, @disabled, @profile)', user);
    },
    async updateUser(user) {
      const holder = find('email', user.organizationId, user.userName);
      if (holder && toUser(holder).id !== user.id) throw taken();
      return write(
        `update people set email = @email, name = @name, disabled = @disabled,
        profile = @profile where id = @id and company = @company`,
        user,
      );
    },
    deleteUser: async (company, id) =>
      db.prepare('delete from people where company = ? and id = ?').run(company, id).changes === 1,
    outbox: { append: async () => undefined },
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...operations,
    // Nothing in a transaction waits for input or output, so no other request comes in between.
    transaction(_scope, work) {
      const result = last.then(async () => {
        db.exec('begin immediate');
        try {
          const value = await work(operations);
          db.exec('commit');
          return value;
        } catch (error) {
          db.exec('rollback');
          throw error;
        }
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}

type Work = Parameters<ScimStorage['transaction']>[1];

const taken = () => scimError('uniqueness', 'email already in use');

function toRow(user: ScimUser) {
  const { id, organizationId: company, userName: email, active, attributes, ...profile } = user;
  const name = typeof attributes.displayName === 'string' ? attributes.displayName : null;
  const text = JSON.stringify({ ...profile, attributes });
  return { id, company, email, name, disabled: Number(!active), profile: text };
}

const toUserOrNull = (row: unknown) => (row ? toUser(row) : null);

function toUser(row: unknown): ScimUser {
  const { id, company, email, name, disabled, profile } = row as ReturnType<typeof toRow>;
  const { attributes, createdAt, lastModifiedAt, ...rest } = JSON.parse(profile ?? '{}');
  return {
    ...{ version: 1, externalId: null, accountId: null, ...rest },
    ...{ id, organizationId: company, userName: email, active: !disabled },
    createdAt: new Date(createdAt ?? 0),
    lastModifiedAt: new Date(lastModifiedAt ?? 0),
    attributes: attributes ?? (name === null ? {} : { displayName: name }),
  };
}
