import type { Severity } from '@probity/core';
import { toDate, toDateOrNull } from '@probity/core/sql';
import type {
  Alert,
  AlertStatus,
  AlertType,
  Metadata,
  Scan,
  ScanFinding,
  ScanViolation,
  Verdict,
} from '../types.ts';
import { hasPersonalData } from '../types.ts';
import type { AlertRow, ScanRow } from './tables.ts';

export function toScanRow(scan: Scan): ScanRow {
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
    policy_ids: JSON.stringify(scan.policyIds),
    violation: scan.violation && JSON.stringify(scan.violation),
    metadata: JSON.stringify(scan.metadata),
    prompt_hash: scan.promptHash,
    response_hash: scan.responseHash,
    context_hash: scan.contextHash,
    duration_us: Math.round(scan.durationMs * 1_000),
    created_at: scan.createdAt.getTime(),
  };
}

export function toScan(row: ScanRow): Scan {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    keyId: row.key_id,
    verdict: row.verdict as Verdict,
    scores: JSON.parse(row.scores) as Scan['scores'],
    findings: JSON.parse(row.findings) as ScanFinding[],
    findingCount: row.finding_count,
    policyIds: JSON.parse(row.policy_ids) as string[],
    violation: row.violation === null ? null : (JSON.parse(row.violation) as ScanViolation),
    metadata: JSON.parse(row.metadata) as Metadata,
    promptHash: row.prompt_hash,
    responseHash: row.response_hash,
    contextHash: row.context_hash,
    durationMs: row.duration_us / 1_000,
    createdAt: toDate(row.created_at),
  };
}

export function toAlertRow(alert: Alert): AlertRow {
  return {
    id: alert.id,
    organization_id: alert.organizationId,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    message: alert.message,
    scan_id: alert.scanId,
    created_at: alert.createdAt.getTime(),
    resolved_at: alert.resolvedAt?.getTime() ?? null,
    resolution: alert.resolution,
  };
}

export function toAlert(row: AlertRow): Alert {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type as AlertType,
    severity: row.severity as Severity,
    status: row.status as AlertStatus,
    message: row.message,
    scanId: row.scan_id,
    createdAt: toDate(row.created_at),
    resolvedAt: toDateOrNull(row.resolved_at),
    resolution: row.resolution,
  };
}
