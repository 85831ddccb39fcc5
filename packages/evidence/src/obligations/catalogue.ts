import { EU_AI_ACT } from './catalogue/eu-ai-act.ts';
import { EU_HARMONISED_STANDARDS } from './catalogue/eu-harmonised-standards.ts';
import { ISO_42001 } from './catalogue/iso-42001.ts';
import { NIST_AI_600_1 } from './catalogue/nist-ai-600-1.ts';
import { NIST_AI_RMF } from './catalogue/nist-ai-rmf.ts';
import { NIST_COSAIS } from './catalogue/nist-cosais.ts';
import { SOC_2 } from './catalogue/soc-2.ts';
import type { Framework, Obligation, ObligationEntry } from './types.ts';
import { FRAMEWORKS } from './types.ts';

/** Version of the catalogue; it changes with every entry. */
export const CATALOGUE_VERSION = '1.0.0';

/** When this version of the catalogue was made. */
export const CATALOGUE_DATE = '2026-11-23T00:00:00.000Z';

const ENTRIES: Readonly<Record<Framework, readonly ObligationEntry[]>> = {
  'EU AI Act': EU_AI_ACT,
  'EU harmonised standards (draft)': EU_HARMONISED_STANDARDS,
  'NIST AI RMF': NIST_AI_RMF,
  'NIST AI 600-1': NIST_AI_600_1,
  'NIST COSAiS (draft)': NIST_COSAIS,
  'ISO 42001': ISO_42001,
  'SOC 2': SOC_2,
};

/**
 * The sources of the frameworks, as they are cited.
 */
export const FRAMEWORK_SOURCES: Readonly<Record<Framework, string>> = {
  'EU AI Act': 'Regulation (EU) 2024/1689, https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
  'EU harmonised standards (draft)': 'CEN-CENELEC JTC 21 and ISO/IEC JTC 1/SC 42, work programmes',
  'NIST AI RMF': 'NIST AI 100-1, January 2023, https://doi.org/10.6028/NIST.AI.100-1',
  'NIST AI 600-1': 'NIST AI 600-1, July 2024, https://doi.org/10.6028/NIST.AI.600-1',
  'NIST COSAiS (draft)': 'NIST, Control Overlays for Securing AI Systems, concept paper of 2025',
  'ISO 42001': 'ISO/IEC 42001:2023',
  'SOC 2': 'AICPA TSP section 100, 2017 Trust Services Criteria with revised points of focus 2022',
};

/** All obligations, by framework and then in the order of its text. */
export const OBLIGATIONS: readonly Obligation[] = FRAMEWORKS.flatMap((framework) =>
  ENTRIES[framework].map((entry) => toObligation(framework, entry)),
);

const byIds = new Map(OBLIGATIONS.map((obligation) => [obligation.id, obligation]));

/** The obligation; undefined for an id that the catalogue does not have. */
export function findObligation(id: string): Obligation | undefined {
  return byIds.get(id);
}

/** The ids of the obligations of a framework. */
export function obligationIdsOf(framework: Framework): string[] {
  return ENTRIES[framework].map(({ id }) => id);
}

function toObligation(framework: Framework, entry: ObligationEntry): Obligation {
  return Object.freeze({
    ...entry,
    framework,
    appliesFrom: entry.appliesFrom ?? null,
    transitions: entry.transitions ?? [],
    role: entry.role ?? [],
    riskClasses: entry.riskClasses ?? null,
    amendedBy: entry.amendedBy ?? null,
    status: entry.status ?? null,
    checked: entry.checked ?? false,
  });
}
