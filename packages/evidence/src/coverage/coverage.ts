import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import type { AiSystem } from '../ai-systems/types.ts';
import { OBLIGATIONS } from '../obligations/catalogue.ts';
import type { Framework, Obligation } from '../obligations/types.ts';
import type { Evidence, EvidenceGroup } from '../records/types.ts';
import type { EvidenceStorage } from '../storage.ts';
import type { Applicability } from './applicability.ts';
import { applicabilityOf } from './applicability.ts';
import { readNewest, supportOf } from './support.ts';

/** An obligation with the evidence about it. */
export interface SupportedObligation {
  readonly obligation: Obligation;
  /** Records that support it, and adverse ones. */
  readonly evidenceCount: number;
  readonly supportingCount: number;
  /** Records of failures; they do not support it. */
  readonly adverseCount: number;
  /** Null when no record is about it. */
  readonly newestEvidence: Evidence | null;
}

/** An obligation that is about an AI system, with the evidence about this system. */
export interface CoveredObligation extends SupportedObligation {
  readonly applicability: Applicability;
}

/** A row of the matrix. */
export interface SystemCoverage {
  /** Null for the evidence that is about no AI system. */
  readonly aiSystem: AiSystem | null;
  /** The obligations that are about the system, in the order of the catalogue. */
  readonly obligations: readonly CoveredObligation[];
}

/** Narrows the matrix; absent members narrow nothing. */
export interface CoverageFilter {
  readonly framework?: Framework | undefined;
  readonly aiSystemId?: string | undefined;
}

/** Which obligations are supported by evidence. */
export interface Coverage {
  /** The obligations of the catalogue, in its order, with all evidence of the organization. */
  listObligations(
    context: CallContext,
    framework: Framework | undefined,
    page: Page,
  ): Promise<PageOf<SupportedObligation>>;
  /**
   * The matrix of AI systems and obligations, a row for each AI system, oldest first, and a last one for evidence
   * about none, where there is some. Obligations that are not about the class of a system are left out.
   */
  list(context: CallContext, filter: CoverageFilter, page: Page): Promise<PageOf<SystemCoverage>>;
}

/** Options of {@link createCoverage}. */
export interface CoverageOptions {
  readonly storage: EvidenceStorage;
}

/** Creates the service for coverage. */
export function createCoverage(
  { clock }: Pick<Runtime, 'clock'>,
  { storage }: CoverageOptions,
): Coverage {
  return {
    async listObligations({ principal: { organizationId } }, framework, { limit, offset }) {
      const all = obligationsOf(framework);
      const shown = all.slice(offset, offset + limit);
      const support = supportOf(await storage.groupEvidence(organizationId));
      const newest = await readNewest(
        storage,
        organizationId,
        shown.flatMap(({ id }) => support.get(id) ?? []),
      );
      const items = shown.map((obligation) => supported(obligation, support, newest));
      return { items, total: all.length };
    },

    async list({ principal: { organizationId } }, { framework, aiSystemId }, page) {
      const groups = await storage.groupEvidence(organizationId, aiSystemId);
      const { systems, total } = await readSystems(organizationId, aiSystemId, page, groups);
      const obligations = obligationsOf(framework);
      const supports = systems.map((system) => supportOf(groupsOf(groups, system)));
      const newest = await readNewest(
        storage,
        organizationId,
        supports.flatMap((support) => [...support.values()]),
      );
      const now = clock.now();
      const items = systems.map((aiSystem, index) => ({
        aiSystem,
        obligations: obligations.flatMap((obligation) => {
          const applicability = applicabilityOf(obligation, aiSystem?.riskClass ?? null, now);
          if (!applicability) return [];
          return [{ ...supported(obligation, supports[index], newest), applicability }];
        }),
      }));
      return { items, total };
    },
  };

  /** The AI systems of a page; null stands for none, and is last. */
  async function readSystems(
    organizationId: string,
    aiSystemId: string | undefined,
    page: Page,
    groups: readonly EvidenceGroup[],
  ): Promise<{ systems: Array<AiSystem | null>; total: number }> {
    if (aiSystemId !== undefined) {
      const found = await storage.findAiSystem(organizationId, aiSystemId);
      return { systems: found && page.offset === 0 ? [found] : [], total: found ? 1 : 0 };
    }
    const { items, total } = await storage.listAiSystems(organizationId, page);
    if (!groups.some((group) => group.aiSystemId === null)) return { systems: [...items], total };
    const isLast = page.offset <= total && items.length < page.limit;
    return { systems: isLast ? [...items, null] : [...items], total: total + 1 };
  }
}

function obligationsOf(framework: Framework | undefined): readonly Obligation[] {
  if (framework === undefined) return OBLIGATIONS;
  return OBLIGATIONS.filter((obligation) => obligation.framework === framework);
}

function groupsOf(groups: readonly EvidenceGroup[], system: AiSystem | null): EvidenceGroup[] {
  return groups.filter(({ aiSystemId }) => aiSystemId === (system?.id ?? null));
}

function supported(
  obligation: Obligation,
  support: ReturnType<typeof supportOf> | undefined,
  newest: ReadonlyMap<number, Evidence>,
): SupportedObligation {
  const found = support?.get(obligation.id);
  const newestEvidence = found ? (newest.get(found.newest) ?? null) : null;
  const { supporting: supportingCount = 0, adverse: adverseCount = 0 } = found ?? {};
  const evidenceCount = supportingCount + adverseCount;
  return { obligation, evidenceCount, supportingCount, adverseCount, newestEvidence };
}
