import type { SqlSession } from '@probity/core/sql';
import {
  deleteBatch,
  insertMany,
  pageOf,
  prepareInsert,
  prepareQuery,
  toDate,
} from '@probity/core/sql';
import { sql } from 'kysely';
import type { Mark } from './filter.ts';
import { marksOf, marksOfScan } from './filter.ts';
import type { ScanReads, ScanWrites } from './storage.ts';
import type { Metadata, Scan, ScanFilter, ScanFinding, ScanViolation, Verdict } from './types.ts';
import { hasPersonalData } from './types.ts';

interface ScanTables {
  probity_scans: ScanRow;
  probity_scan_marks: MarkRow;
}

/** Times are milliseconds since 1970, JSON is text. */
interface ScanRow {
  id: string;
  organization_id: string;
  member_id: string;
  key_id: string;
  verdict: string;
  scores: string;
  findings: string;
  finding_count: number;
  personal_data: number;
  policies: string;
  /** Null where no policy only monitored. */
  monitored: string | null;
  named_policies: string | null;
  facts: string | null;
  violation: string | null;
  metadata: string;
  ai_system_id: string | null;
  prompt_hash: string | null;
  /** Empty for messages: the column was made when each scan had a response. */
  response_hash: string;
  context_hash: string | null;
  messages_hash: string | null;
  /** Microseconds. */
  duration_us: number;
  created_at: number;
}

/** What a scan is found by besides its own columns: one row for each stage, type and policy of it. */
interface MarkRow {
  organization_id: string;
  kind: string;
  value: string;
  /** Those of the scan, so that the marks are in the order of lists. */
  created_at: number;
  scan_id: string;
}

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
      const [first, ...others] = marksOf(filter);
      return first
        ? pageOf(selectMarked(session, organizationId, filter, [first, ...others]), page, toScan)
        : pageOf(selectScans(session, organizationId, filter), page, toScan);
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

function selectScans(session: SqlSession, organizationId: string, filter: ScanFilter) {
  const { verdict, keyId, aiSystemId, since, until } = filter;
  let matching = session
    .kysely<ScanTables>()
    .selectFrom('probity_scans')
    .selectAll()
    .where('organization_id', '=', organizationId);
  if (verdict !== undefined) matching = matching.where('verdict', '=', verdict);
  if (keyId !== undefined) matching = matching.where('key_id', '=', keyId);
  if (aiSystemId !== undefined) matching = matching.where('ai_system_id', '=', aiSystemId);
  if (since) matching = matching.where('created_at', '>=', since.getTime());
  if (until) matching = matching.where('created_at', '<', until.getTime());
  return matching.orderBy('created_at', 'desc').orderBy('id', 'desc');
}

/** Found by the first mark, in the order of the marks; the other conditions hold for its scans. */
function selectMarked(
  session: SqlSession,
  organizationId: string,
  { verdict, keyId, aiSystemId, since, until }: ScanFilter,
  [first, ...others]: readonly [Mark, ...Mark[]],
) {
  let matching = session
    .kysely<ScanTables>()
    .selectFrom('probity_scan_marks as mark')
    .innerJoin('probity_scans as scan', 'scan.id', 'mark.scan_id')
    .selectAll('scan')
    .where('mark.organization_id', '=', organizationId)
    .where('mark.kind', '=', first.kind)
    .where('mark.value', '=', first.value);
  for (const { kind, value } of others) {
    matching = matching.where((eb) =>
      eb.exists(
        eb
          .selectFrom('probity_scan_marks as further')
          .select('further.scan_id')
          .where('further.organization_id', '=', organizationId)
          .where('further.kind', '=', kind)
          .where('further.value', '=', value)
          .whereRef('further.created_at', '=', 'mark.created_at')
          .whereRef('further.scan_id', '=', 'mark.scan_id'),
      ),
    );
  }
  if (verdict !== undefined) matching = matching.where('scan.verdict', '=', verdict);
  if (keyId !== undefined) matching = matching.where('scan.key_id', '=', keyId);
  if (aiSystemId !== undefined) matching = matching.where('scan.ai_system_id', '=', aiSystemId);
  if (since) matching = matching.where('mark.created_at', '>=', since.getTime());
  if (until) matching = matching.where('mark.created_at', '<', until.getTime());
  return matching.orderBy('mark.created_at', 'desc').orderBy('mark.scan_id', 'desc');
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
