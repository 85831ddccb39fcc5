import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProbityError } from '@probity/core';
import type { AiSystem } from '../ai-systems/types.ts';
import type { StoredNode } from '../chain/storage.ts';
import type { EvidenceHead } from '../chain/types.ts';
import { OBLIGATIONS } from '../obligations/catalogue.ts';
import { toAssessmentResults } from '../oscal/results.ts';
import type { Evidence, EvidenceFilter } from '../records/types.ts';
import type { EvidenceStorage } from '../storage.ts';
import type { EvidenceExports, ExportedNode } from './types.ts';

/** Records of a slice: all that an export has in memory, and a few milliseconds of work. */
const SLICE = 100;

/** Finds the name of an organization for documents; null where it has none. */
export type OrganizationName = (organizationId: string) => Promise<string | null>;

/** Options of {@link createEvidenceExports}. */
export interface EvidenceExportOptions {
  readonly storage: EvidenceStorage;
  readonly organizationName?: OrganizationName | undefined;
}

/** Creates the service for exports. */
export function createEvidenceExports({
  storage,
  organizationName,
}: EvidenceExportOptions): EvidenceExports {
  return {
    async records({ principal: { organizationId } }, filter) {
      const head = await storage.findEvidenceHead(organizationId);
      return recordSlices(storage, organizationId, filter, head?.sequence ?? 0);
    },
    async aiSystemNames({ principal: { organizationId } }) {
      const names = new Map<string, string>();
      for await (const slice of aiSystemSlices(storage, organizationId, undefined)) {
        for (const { id, name } of slice) names.set(id, name);
      }
      return names;
    },
    async assessmentResults({ principal: { organizationId } }, filter, options = {}) {
      const { hasAllFindings = false } = options;
      const head = await storage.findEvidenceHead(organizationId);
      const slices = (part: EvidenceFilter) =>
        recordSlices(storage, organizationId, part, head?.sequence ?? 0);
      const { aiSystemId, obligationIds } = filter;
      return toAssessmentResults({
        ...{ organizationId, head, hasAllFindings, filter: toText(filter) },
        organizationName: (await organizationName?.(organizationId)) ?? null,
        obligations: OBLIGATIONS.filter(({ id }) => !obligationIds || obligationIds.includes(id)),
        aiSystems: () => aiSystemSlices(storage, organizationId, aiSystemId),
        records: () => slices(filter),
        recordsOf: (id) => slices({ ...filter, obligationIds: [id] }),
      });
    },
    async chain({ principal: { organizationId } }) {
      const head = await storage.findEvidenceHead(organizationId);
      return head ? chainSlices(storage, head) : nothing();
    },
  };
}

async function* nothing(): AsyncGenerator<ExportedNode[]> {}

/** The conditions of a filter in one form, of which the same ones make the same document. */
function toText(filter: EvidenceFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : JSON.stringify(Object.fromEntries(given.sort()));
}

async function* aiSystemSlices(
  storage: EvidenceStorage,
  organizationId: string,
  aiSystemId: string | undefined,
): AsyncGenerator<readonly AiSystem[]> {
  if (aiSystemId !== undefined) {
    const found = await storage.findAiSystem(organizationId, aiSystemId);
    if (found) yield [found];
    return;
  }
  for (let offset = 0; ; offset += SLICE) {
    const { items } = await storage.listAiSystems(organizationId, { limit: SLICE, offset });
    yield items;
    if (items.length < SLICE) return;
  }
}

async function* recordSlices(
  storage: EvidenceStorage,
  organizationId: string,
  filter: EvidenceFilter,
  end: number,
): AsyncGenerator<Evidence[]> {
  let place = 0;
  while (place < end) {
    const records = await storage.readEvidence(organizationId, filter, place, SLICE);
    yield records.filter(({ sequence }) => sequence <= end);
    if (records.length < SLICE) return;
    place = records.at(-1)?.sequence ?? end;
    await nextTurn();
  }
}

/**
 * The chain up to `head`. No transaction is open while the client reads, so what is amended meanwhile is read with its new
 * links: the export then goes on to the amendments that prove them.
 */
async function* chainSlices(
  storage: EvidenceStorage,
  head: EvidenceHead,
): AsyncGenerator<ExportedNode[]> {
  const { organizationId, removedThrough, sequence: begun } = head;
  let end = begun;
  let place = 0;
  while (place < end) {
    const nodes = await storage.readEvidenceChain(organizationId, place, SLICE);
    const slice: ExportedNode[] = [];
    for (const stored of nodes) {
      if (stored.sequence > end) break;
      const record = await recordOf(stored);
      end = Math.max(end, record?.amendment ?? 0);
      slice.push({ node: stored, record });
    }
    const isGone = slice.some(
      ({ node, record }) => !node.amends && !record && node.sequence > removedThrough,
    );
    if (isGone) await requireNoRemoval();
    if (slice.length === 0) return;
    yield slice;
    place = slice.at(-1)?.node.sequence ?? end;
    await nextTurn();
  }

  async function recordOf({ sequence, amends, record }: StoredNode): Promise<Evidence | null> {
    if (amends === null || sequence <= begun) return record;
    const amended = await storage.findEvidence(organizationId, amends);
    if (!amended) await requireNoRemoval();
    return amended;
  }

  /** Records that are gone without retention are exported as such: verification finds them. */
  async function requireNoRemoval(): Promise<void> {
    const now = await storage.findEvidenceHead(organizationId);
    if (!now || now.removedThrough === removedThrough) return;
    throw new ProbityError(
      'unavailable',
      'Retention removed records while they were exported. Request the export again.',
    );
  }
}
