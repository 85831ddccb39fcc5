import { createHash } from 'node:crypto';

/** Hashes facts as the server does; written here again, so that a change of either is found. */
function sha256(facts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

const ORGANIZATION = 'org_1';

// biome-ignore lint/suspicious/noExplicitAny: tests change lines of every kind
export type Line = any;

/** Records of an organization, the second of them amended, as the lines of an export. */
export function exportLines(count = 4): Line[] {
  const lines: Line[] = [];
  const append = (node: Line) => {
    const sequence = lines.length + 1;
    const previousHash = lines.at(-1)?.hash ?? '';
    const createdAt = new Date(1_760_000_000_000 + sequence).toISOString();
    const { id, amends, idempotencyKey, contentHash, linksHash } = node;
    const hash = sha256([
      ...[sequence, previousHash, ORGANIZATION, id, amends, idempotencyKey],
      ...[contentHash, linksHash, Date.parse(createdAt)],
    ]);
    lines.push({ sequence, previousHash, hash, organizationId: ORGANIZATION, createdAt, ...node });
  };
  for (let index = 1; index <= count; index += 1) append(recordNode(index));
  const amended = lines[1];
  amended.record.labels = { env: 'production' };
  append({
    id: 'id-amendment',
    amends: amended.id,
    idempotencyKey: null,
    contentHash: '',
    linksHash: linksHashOf(amended.record),
    record: null,
  });
  return lines;
}

function recordNode(index: number): Line {
  const record = {
    salt: `${index}`.repeat(32),
    evidenceType: 'evaltool_eval',
    source: 'evaltool',
    title: `Evaluation ${index}`,
    content: 'Two of three tests passed – “ü”.',
    metadata: { passRate: 4 / 11, half: 0.5, providers: ['echo'], nested: { b: 1, a: null } },
    occurredAt: index === 3 ? null : '2026-01-31T00:00:00.000Z',
    aiSystemId: null,
    labels: { env: 'ci', a: 'b' },
    obligationIds: ['iso-42001:9.1', 'eu-ai-act:15(4)'],
  };
  const { salt, evidenceType, source, title, content, metadata, occurredAt } = record;
  const time = occurredAt === null ? null : Date.parse(occurredAt);
  return {
    id: `id-${index}`,
    amends: null,
    idempotencyKey: `${index}`.repeat(64),
    contentHash: sha256([salt, evidenceType, source, title, content, metadata, time]),
    linksHash: linksHashOf(record),
    record,
  };
}

function linksHashOf({ salt, aiSystemId, labels, obligationIds }: Line): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((name) => [name, labels[name]]);
  return sha256([salt, aiSystemId, pairs, [...obligationIds].sort()]);
}

/** The text of an export. */
export function toText(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
