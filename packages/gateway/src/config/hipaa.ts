import type { KeyPath } from './issues.ts';
import type { ConfigurationValues } from './schema.ts';

/** Six years: how long documentation is retained under 45 CFR 164.316(b)(2)(i). */
const RETENTION_DAYS = 2_190;

type Values = Omit<ConfigurationValues, 'pii_detection' | 'pii_threshold'>;

/** A key that HIPAA mode overrides, whether the configuration has another value, and the value in force. */
interface HipaaOverride {
  readonly path: KeyPath;
  readonly isOther: boolean;
  readonly value: string;
}

/** What HIPAA mode overrides. */
export function hipaaOverrides({ compliance, audit, stage_config }: Values): HipaaOverride[] {
  const days = String(RETENTION_DAYS);
  return [
    override(['compliance', 'audit_logging'], !compliance.audit_logging, 'true'),
    override(
      ['compliance', 'pii_retention_days'],
      compliance.pii_retention_days < RETENTION_DAYS,
      days,
    ),
    override(['audit', 'enabled'], !audit.enabled, 'true'),
    override(['audit', 'sample_rate'], audit.sample_rate !== 1, '1'),
    override(['audit', 'retention_days'], audit.retention_days < RETENTION_DAYS, days),
    override(
      ['stage_config', 'pii_scanner', 'fail_open'],
      stage_config.pii_scanner.fail_open,
      'false',
    ),
  ];
}

function override(path: KeyPath, isOther: boolean, value: string): HipaaOverride {
  return { path, isOther, value };
}

/** The configuration with what HIPAA mode forces: every scan is recorded, and its record kept for six years. */
export function withHipaa<Given extends Values>(config: Given): Given {
  const { compliance, audit, stage_config } = config;
  const days = (given: number) => Math.max(given, RETENTION_DAYS);
  return {
    ...config,
    compliance: {
      ...compliance,
      audit_logging: true,
      hash_pii_in_logs: true,
      pii_retention_days: days(compliance.pii_retention_days),
    },
    audit: {
      ...audit,
      enabled: true,
      sample_rate: 1,
      retention_days: days(audit.retention_days),
    },
    stage_config: {
      ...stage_config,
      pii_scanner: { ...stage_config.pii_scanner, fail_open: false },
    },
  };
}
