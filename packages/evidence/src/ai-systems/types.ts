/**
 * Classes of an AI system under Regulation (EU) 2024/1689: a practice of Article 5, high-risk (Article
 * 6), with transparency duties (Article 50), none of these, a general-purpose model (Article 51 and
 * following), and one with systemic risk.
 */
export const RISK_CLASSES = [
  'prohibited',
  'high',
  'limited',
  'minimal',
  'gpai',
  'gpai_systemic',
] as const;
/** One of {@link RISK_CLASSES}. */
export type RiskClass = (typeof RISK_CLASSES)[number];

/** An AI system of an organization, which evidence is about. */
export interface AiSystem {
  /** UUID (version 7). */
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description: string | null;
  /** As the organization classifies it; null while it has not. */
  readonly riskClass: RiskClass | null;
  /** Who is responsible for it, in the organization's own words. */
  readonly owner: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Input for a new AI system. */
export interface NewAiSystem {
  readonly name: string;
  /** Default null. */
  readonly description?: string | null | undefined;
  /** Default null. */
  readonly riskClass?: RiskClass | null | undefined;
  /** Default null. */
  readonly owner?: string | null | undefined;
}

/** The changes of an update; absent members stay as they are. */
export interface AiSystemChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly riskClass?: RiskClass | null | undefined;
  readonly owner?: string | null | undefined;
}
