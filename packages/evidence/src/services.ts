import type { AiSystems } from './ai-systems/ai-systems.ts';
import type { VerifyEvidence } from './chain/verify.ts';
import type { Coverage } from './coverage/coverage.ts';
import type { EvidenceExports } from './exports/types.ts';
import type { EvidenceImports } from './imports/imports.ts';
import type { EvidenceRecords } from './records/records.ts';
import type { CreateReport } from './report/report.ts';
import type { EvidenceTrend } from './trend/trend.ts';

/** The services of evidence. */
export interface EvidenceServices {
  readonly aiSystems: AiSystems;
  readonly records: EvidenceRecords;
  readonly imports: EvidenceImports;
  readonly exports: EvidenceExports;
  readonly coverage: Coverage;
  readonly trend: EvidenceTrend;
  /** Makes the report for people. */
  readonly report: CreateReport;
  /** Verifies the chain of the caller's organization. */
  readonly verify: VerifyEvidence;
}
