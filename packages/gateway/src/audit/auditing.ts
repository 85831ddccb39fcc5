import type { GatewayConfig } from '../config/read-config.ts';

/** Whether anything is recorded. */
export function isAuditing({
  audit,
  compliance,
}: Pick<GatewayConfig, 'audit' | 'compliance'>): boolean {
  return audit.enabled || compliance.audit_logging;
}
