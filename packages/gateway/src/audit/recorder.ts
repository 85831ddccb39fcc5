import type { Clock, Ids } from '@probity/core';
import type { PersonalData } from '../compliance/personal-data.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { Bypass } from '../snapshot/allowlists.ts';
import type { AuditAct, AuditFinding, AuditScanRow, AuditSink, ScanSubject } from './rows.ts';

/** Who sent a scan. */
interface AuditedCall {
  readonly requestId: string;
  readonly clientId: string;
  readonly userId: string | undefined;
  readonly address: string | null;
}

/** What came of a scan. */
interface AuditedScan
  extends Pick<AuditScanRow, 'result' | 'isDegraded' | 'durationMs' | 'configHash' | 'reason'> {
  readonly bypass: Bypass | null;
  readonly about?: ScanSubject | undefined;
  readonly scores: AuditScanRow['detail']['scores'];
  readonly findings: readonly AuditFinding[];
  readonly omitted: number;
}

/** Records scans and acts; what is not to be recorded is passed over. */
export interface AuditRecorder {
  scan(config: RecordedConfig, personal: PersonalData, call: AuditedCall, scan: AuditedScan): void;
  /**
   * Writes what an administrator does before that is answered.
   *
   * @returns false where the database does not answer: the record waits in memory then
   */
  act(config: RecordedConfig, act: GivenAct): Promise<boolean>;
}

type GivenAct = Omit<AuditAct, 'kind' | 'id' | 'createdAtMs'>;

type RecordedConfig = Pick<GatewayConfig, 'audit' | 'compliance'>;

/** Dependencies of a recorder. */
export interface AuditRecorderOptions {
  readonly sink: AuditSink;
  readonly clock: Clock;
  readonly ids: Ids;
  /** From 0 to 1, for `audit.sample_rate`; default Math.random. */
  readonly random?: (() => number) | undefined;
}

/** Findings that a row lists. */
const LISTED = 100;

/** Creates the recorder. */
export function createAuditRecorder(options: AuditRecorderOptions): AuditRecorder {
  const { sink, clock, ids, random = Math.random } = options;
  const toAct = ({ actor, ...rest }: GivenAct): AuditAct => {
    const id = ids.next('aud');
    return { kind: 'act', id, createdAtMs: clock.now().getTime(), actor, ...rest };
  };
  return {
    act: async (config, act) =>
      config.compliance.audit_logging ? sink.writeNow([toAct(act)]) : true,
    scan(config, personal, call, scan) {
      const { requestId, clientId, userId } = call;
      const { bypass, configHash } = scan;
      const address = personal.showAddress(call.address);
      if (bypass !== null) {
        const about = { requestId, actor: clientId, address: null, configHash };
        const act = toAct({ ...about, action: 'scan.bypassed', detail: { allowlist: bypass } });
        if (config.compliance.audit_logging) sink.write([act]);
      }
      const isPersonal = scan.findings.some(({ stage }) => stage === 'pii_scanner');
      if (!isRecorded(config, scan, isPersonal, random)) return;
      const { about, scores, findings, omitted } = scan;
      sink.write([
        {
          kind: 'scan',
          id: ids.next('aud'),
          createdAtMs: clock.now().getTime(),
          requestId,
          clientId,
          userId: userId === undefined ? null : personal.showUser(userId),
          address,
          result: scan.result,
          isDegraded: scan.isDegraded,
          isPersonal,
          durationMs: scan.durationMs,
          configHash,
          reason: bypass === null ? scan.reason : `allowlist: ${bypass}`,
          detail: {
            ...(about && { about }),
            scores,
            findings: findings.slice(0, LISTED),
            omitted: omitted + Math.max(0, findings.length - LISTED),
          },
        },
      ]);
    },
  };
}

/** Allowed scans by their share, all others always; with personal data, or in GDPR mode at all, only where it may be kept. */
function isRecorded(
  { audit, compliance }: RecordedConfig,
  { result, isDegraded }: AuditedScan,
  isPersonal: boolean,
  random: () => number,
): boolean {
  if (!audit.enabled) return false;
  const isKept = compliance.pii_retention_days > 0 || !(isPersonal || compliance.gdpr_mode);
  if (!isKept) return false;
  return result !== 'allowed' || isDegraded || random() < audit.sample_rate;
}
