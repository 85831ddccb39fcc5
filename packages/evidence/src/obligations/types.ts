import type { RiskClass } from '../ai-systems/types.ts';

/** Laws and standards that have entries in the catalogue. */
export const FRAMEWORKS = [
  'EU AI Act',
  'EU harmonised standards (draft)',
  'NIST AI RMF',
  'NIST AI 600-1',
  'NIST COSAiS (draft)',
  'ISO 42001',
  'SOC 2',
] as const;
/** One of {@link FRAMEWORKS}. */
export type Framework = (typeof FRAMEWORKS)[number];

/** Who has a duty, in the terms of Regulation (EU) 2024/1689; `gpai`: the provider of a general-purpose model. */
export type ObligationRole = 'provider' | 'deployer' | 'importer' | 'distributor' | 'gpai';

/** A later date for part of what an obligation is about. */
export interface Transition {
  readonly scope: string;
  /** ISO 8601 date. */
  readonly appliesFrom: string;
}

/** How far a text is that is not final. */
export interface DraftStatus {
  readonly stage: 'draft' | 'enquiry';
  /** ISO 8601 date; null where it is not known. */
  readonly since: string | null;
}

/** An entry as its framework's file has it; absent members have the defaults of {@link Obligation}. */
export interface ObligationEntry {
  readonly id: string;
  readonly reference: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly appliesFrom?: string;
  readonly transitions?: readonly Transition[];
  readonly role?: readonly ObligationRole[];
  readonly riskClasses?: readonly RiskClass[];
  readonly amendedBy?: string;
  readonly status?: DraftStatus;
  readonly checked?: boolean;
}

/** A duty, control or criterion that evidence can support. */
export interface Obligation {
  /** Stable: `euaia-art-15-4`. */
  readonly id: string;
  readonly framework: Framework;
  /** Article, clause or number in the framework. */
  readonly reference: string;
  /** In our own words, not those of the source. */
  readonly title: string;
  /** Subjects, by which evidence is linked. */
  readonly keywords: readonly string[];
  /** ISO 8601 date from which it applies; null where none is set, as for voluntary frameworks. */
  readonly appliesFrom: string | null;
  /** Later dates for parts of it. */
  readonly transitions: readonly Transition[];
  /** Whose duty it is; none where the framework does not say so in these terms. */
  readonly role: readonly ObligationRole[];
  /** The classes of AI systems that it is about; null for all. */
  readonly riskClasses: readonly RiskClass[] | null;
  /** The act that amended it last; null for none. */
  readonly amendedBy: string | null;
  /** Set while the text is not final. */
  readonly status: DraftStatus | null;
  /** Whether number and dates were held against the source, or a library made from it. */
  readonly checked: boolean;
}

/** What a finding says about a system; each is linked to obligations (specification, "Evidence import"). */
export const SIGNALS = ['security', 'accuracy', 'fairness', 'general testing'] as const;
/** One of {@link SIGNALS}. */
export type Signal = (typeof SIGNALS)[number];
