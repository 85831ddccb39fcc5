import { randomUUID } from 'node:crypto';
import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { insertMany, prepareQuery, prepareSql, toDate } from '@probity/core/sql';
import { sql } from 'kysely';
import type { ActivityReads, ActivityWrites, ScimActivityStorage } from './storage.ts';
import type { ScimRequest } from './types.ts';

interface ActivityTables {
  probity_scim_requests: RequestRow;
}

interface RequestRow {
  organization_id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Place among the requests that were appended together. */
  place: number;
  id: string;
  method: string;
  path: string;
  status: number;
  detail: string | null;
}

const selectRequests = prepareQuery<
  ActivityTables,
  { organizationId: string; limit: number },
  RequestRow
>((db, value) =>
  db
    .selectFrom('probity_scim_requests')
    .selectAll()
    .where('organization_id', '=', value('organizationId'))
    .orderBy('at', 'desc')
    .orderBy('place', 'desc')
    .orderBy('id', 'desc')
    .limit(value('limit')),
);

/** Deletes those before the last one that stays; none when there are fewer. */
const deleteOlder = prepareSql<{ organizationId: string; others: number }, object>(
  (value) => sql`
    delete from probity_scim_requests
    where organization_id = ${value('organizationId')} and (at, place, id) < (
      select at, place, id from probity_scim_requests
      where organization_id = ${value('organizationId')}
      order by at desc, place desc, id desc
      limit 1 offset ${value('others')}
    )`,
);

/** The storage of the latest requests on SQLite and PostgreSQL. */
export function createSqlScimActivityStorage(database: SqlDatabase): ScimActivityStorage {
  return bindStorage<SqlSession, ActivityReads, ActivityWrites>(database, (session) => ({
    async listScimRequests(organizationId, limit) {
      return (await selectRequests(session, { organizationId, limit })).map(toRequest);
    },
    async appendScimRequests(organizationId, requests, keep) {
      const rows = requests.map(({ at, ...request }, place) => ({
        organization_id: organizationId,
        at: at.getTime(),
        place,
        id: randomUUID(),
        ...request,
      }));
      await insertMany(session, 'probity_scim_requests', rows);
      await deleteOlder(session, { organizationId, others: keep - 1 });
    },
  }));
}

function toRequest({ at, method, path, status, detail }: RequestRow): ScimRequest {
  return { at: toDate(at), method, path, status, detail };
}
