import { DAY_MS } from '../clock.ts';
import type { RetentionRule } from './retention.ts';

/**
 * Names of presets. `standard`: the terms of the rules. `eu-ai-act`: audit logs, scans, resolved alerts and evidence are kept for 184
 * days at least, since Articles 19(1) and 26(6) of Regulation (EU) 2024/1689 ask for logs of six months.
 */
export const RETENTION_PRESETS = ['standard', 'eu-ai-act'] as const;
/** One of {@link RETENTION_PRESETS}. */
export type RetentionPreset = (typeof RETENTION_PRESETS)[number];

/** The shortest terms that a preset allows, by rule. */
const SHORTEST_TERMS: Readonly<Record<RetentionPreset, Readonly<Record<string, number>>>> = {
  standard: {},
  'eu-ai-act': {
    audit_log: 184 * DAY_MS,
    scans_with_personal_data: 184 * DAY_MS,
    scans: 184 * DAY_MS,
    resolved_alerts: 184 * DAY_MS,
    evidence: 184 * DAY_MS,
  },
};

/** The rules with the terms of a preset: those that are shorter are lengthened. */
export function withPreset(
  rules: readonly RetentionRule[],
  preset: RetentionPreset,
): RetentionRule[] {
  return rules.map((rule) => ({
    ...rule,
    olderThanMs: Math.max(rule.olderThanMs, SHORTEST_TERMS[preset][rule.name] ?? 0),
  }));
}
