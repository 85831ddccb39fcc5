import type { SqlSession } from '@probity/core/sql';
import {
  deleteBatch,
  insertMany,
  pageOfPaths,
  prepareInsert,
  prepareQuery,
  toDate,
} from '@probity/core/sql';
import { sql } from 'kysely';
import { marksOfScan } from './filter.ts';
import { pathsToScans } from './sql/paths.ts';
import type { MarkRow, ScanRow, ScanTables } from './sql/tables.ts';
import type { ScanReads, ScanWrites } from './storage.ts';
import type { Metadata, Scan, ScanFinding, ScanViolation, Verdict } from './types.ts';
import { hasPersonalData } from './types.ts';

const insertScan = prepareInsert<ScanRow>('probity_scans', [
  'id',
  'organization_id',
  'member_id',
  'key_id',
  'verdict',
  'scores',
  'findings',
  'finding_count',
  'personal_data',
  'policies',
  'monitored',
  'named_policies',
  'facts',
  'violation',
  'metadata',
  'ai_system_id',
  'prompt_hash',
  'response_hash',
  'context_hash',
  'messages_hash',
  'duration_us',
  'created_at',
]);

const insertMark = prepareInsert<MarkRow>('probity_scan_marks', [
  'organization_id',
  'kind',
  'value',
  'created_at',
  'scan_id',
]);

const selectScan = prepareQuery<ScanTables, { organizationId: string; id: string }, ScanRow>(
  (db, value) =>
    db
      .selectFrom('probity_scans')
      .selectAll()
      .where('organization_id', '=', value('organizationId'))
      .where('id', '=', value('id')),
);

/** Reads scans on a SQL session. */
export function createScanReads(session: SqlSession): ScanReads {
  return {
    async findScan(organizationId, id) {
      const [row] = await selectScan(session, { organizationId, id });
      return row ? toScan(row) : null;
    },
    listScans(organizationId, filter, page) {
      return pageOfPaths(pathsToScans(session, organizationId, filter), page, toScan);
    },
    async readJudgedScans(organizationId, { since, after, limit }) {
      const rows = await selectJudged(session, {
        organizationId,
        since: since?.getTime() ?? 0,
        createdAt: after?.createdAt.getTime() ?? Number.MAX_SAFE_INTEGER,
        id: after?.id ?? '',
        limit,
      });
      return rows.map((row) => ({
        id: row.id,
        keyId: row.key_id,
        ...toJudged(row),
        createdAt: toDate(row.created_at),
      }));
    },
    async readTimedScans(organizationId, { since, until, after, limit }) {
      const from = after?.createdAt ?? since;
      const rows = await selectTimed(session, {
        ...{ organizationId, since: from.getTime(), until: until.getTime(), limit },
        ...{ createdAt: from.getTime(), id: after?.id ?? '' },
      });
      return rows.map((row) => ({
        id: row.id,
        createdAt: toDate(row.created_at),
        aiSystemId: row.ai_system_id,
        verdict: row.verdict as Verdict,
        policies: JSON.parse(row.policies) as Scan['policies'],
        violation: toViolation(row),
        facts: toFacts(row),
      }));
    },
    async oldestScanAt(organizationId) {
      const [row] = await selectOldest(session, { organizationId });
      return row ? toDate(row.created_at) : null;
    },
  };
}

/** Writes scans on a SQL session. */
export function createScanWrites(session: SqlSession): ScanWrites {
  return {
    async insertScan(scan) {
      await insertScan(session, toScanRow(scan));
      const marks = toMarkRows(scan);
      // A harmless scan has the one of its policy.
      if (marks.length === 1) await insertMark(session, marks[0] as MarkRow);
      else await insertMany(session, 'probity_scan_marks', marks);
    },
    deletePersonalScans(organizationId, before, limit) {
      // A literal, so that the partial index on these rows is used.
      const personal = oldScans(session, organizationId, before, limit).where(
        'personal_data',
        '=',
        (eb) => eb.lit(1),
      );
      return deleteBatch(session, 'probity_scans', 'id', personal);
    },
    deleteScans(organizationId, before, limit) {
      const old = oldScans(session, organizationId, before, limit);
      return deleteBatch(session, 'probity_scans', 'id', old);
    },
  };
}

function oldScans(session: SqlSession, organizationId: string, before: Date, limit: number) {
  return session
    .kysely<ScanTables>()
    .selectFrom('probity_scans')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('created_at', '<', before.getTime())
    .orderBy('created_at')
    .limit(limit);
}

const selectTimed = prepareQuery<
  ScanTables,
  {
    organizationId: string;
    since: number;
    until: number;
    createdAt: number;
    id: string;
    limit: number;
  },
  Pick<
    ScanRow,
    'id' | 'created_at' | 'ai_system_id' | 'verdict' | 'policies' | 'violation' | 'facts'
  >
>((db, value) =>
  db
    .selectFrom('probity_scans')
    .select(['id', 'created_at', 'ai_system_id', 'verdict', 'policies', 'violation', 'facts'])
    .where('organization_id', '=', value('organizationId'))
    .where('created_at', '>=', value('since'))
    .where('created_at', '<', value('until'))
    .where(sql<boolean>`(created_at, id) > (${value('createdAt')}, ${value('id')})`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(value('limit')),
);

const selectOldest = prepareQuery<
  ScanTables,
  { organizationId: string },
  Pick<ScanRow, 'created_at'>
>((db, value) =>
  db
    .selectFrom('probity_scans')
    .select('created_at')
    .where('organization_id', '=', value('organizationId'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
);

/** The columns from which policies judge a scan again. */
const JUDGED_COLUMNS = [
  ...['id', 'key_id', 'scores', 'findings', 'named_policies', 'facts', 'created_at'],
] as const satisfies ReadonlyArray<keyof ScanRow>;

/** Newest first, behind a place; the first place is behind all times. */
const selectJudged = prepareQuery<
  ScanTables,
  { organizationId: string; since: number; createdAt: number; id: string; limit: number },
  Pick<ScanRow, (typeof JUDGED_COLUMNS)[number]>
>((db, value) =>
  db
    .selectFrom('probity_scans')
    .select(JUDGED_COLUMNS)
    .where('organization_id', '=', value('organizationId'))
    .where('created_at', '>=', value('since'))
    .where(sql<boolean>`(created_at, id) < (${value('createdAt')}, ${value('id')})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(value('limit')),
);

function toJudged(row: Pick<ScanRow, 'scores' | 'findings' | 'named_policies' | 'facts'>) {
  return {
    scores: JSON.parse(row.scores) as Scan['scores'],
    findings: (row.findings === '[]' ? [] : JSON.parse(row.findings)) as ScanFinding[],
    namedPolicyIds:
      row.named_policies === null ? null : (JSON.parse(row.named_policies) as string[]),
    facts: toFacts(row),
  };
}

function toFacts({ facts }: Pick<ScanRow, 'facts'>): Scan['facts'] {
  return facts === null ? null : (JSON.parse(facts) as Scan['facts']);
}

function toViolation({ violation }: Pick<ScanRow, 'violation'>): ScanViolation | null {
  return violation === null ? null : (JSON.parse(violation) as ScanViolation);
}

function toMarkRows(scan: Scan): MarkRow[] {
  return marksOfScan(scan).map(({ kind, value }) => ({
    organization_id: scan.organizationId,
    kind,
    value,
    created_at: scan.createdAt.getTime(),
    scan_id: scan.id,
  }));
}

function toScanRow(scan: Scan): ScanRow {
  return {
    id: scan.id,
    organization_id: scan.organizationId,
    member_id: scan.memberId,
    key_id: scan.keyId,
    verdict: scan.verdict,
    scores: JSON.stringify(scan.scores),
    findings: JSON.stringify(scan.findings),
    finding_count: scan.findingCount,
    personal_data: Number(hasPersonalData(scan)),
    policies: JSON.stringify(scan.policies),
    monitored: scan.monitored.length === 0 ? null : JSON.stringify(scan.monitored),
    violation: scan.violation && JSON.stringify(scan.violation),
    named_policies: scan.namedPolicyIds && JSON.stringify(scan.namedPolicyIds),
    facts: scan.facts && JSON.stringify(scan.facts),
    metadata: JSON.stringify(scan.metadata),
    ai_system_id: scan.aiSystemId,
    prompt_hash: scan.promptHash,
    response_hash: scan.responseHash ?? '',
    context_hash: scan.contextHash,
    messages_hash: scan.messagesHash,
    duration_us: Math.round(scan.durationMs * 1_000),
    created_at: scan.createdAt.getTime(),
  };
}

function toScan(row: ScanRow): Scan {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    keyId: row.key_id,
    verdict: row.verdict as Verdict,
    findingCount: row.finding_count,
    policies: JSON.parse(row.policies) as Scan['policies'],
    monitored: row.monitored === null ? [] : (JSON.parse(row.monitored) as Scan['monitored']),
    violation: toViolation(row),
    ...toJudged(row),
    metadata: JSON.parse(row.metadata) as Metadata,
    aiSystemId: row.ai_system_id,
    promptHash: row.prompt_hash,
    responseHash: row.response_hash || null,
    contextHash: row.context_hash,
    messagesHash: row.messages_hash,
    durationMs: row.duration_us / 1_000,
    createdAt: toDate(row.created_at),
  };
}
