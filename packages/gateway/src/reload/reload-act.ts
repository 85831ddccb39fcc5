import type { AuditRecorder } from '../audit/recorder.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { ReloadedBy, ReloadResult } from './reloader.ts';

/**
 * Records that a configuration has come in force, and who has asked for it.
 *
 * @returns what is to be said where it is not stored yet
 */
export async function recordReload(
  audit: AuditRecorder,
  config: GatewayConfig,
  { hash: configHash, previousHash, changed }: ReloadResult,
  { actor = 'system', requestId, address }: ReloadedBy,
): Promise<string | null> {
  const isRecorded = await audit.act(config, {
    ...{ actor, configHash, action: 'config.reloaded' },
    requestId: requestId ?? null,
    address: config.compliance.gdpr_mode ? null : (address ?? null),
    detail: { previous_hash: previousHash, changed },
  });
  return isRecorded ? null : 'the audit database does not answer: the record of this reload waits';
}
