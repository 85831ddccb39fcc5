import type { AuditRecorder } from '../audit/recorder.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { KeyChange } from './key-watch.ts';

/** Records that an API key holds from now on, holds no longer, or holds otherwise. */
export async function recordKeyChange(
  audit: AuditRecorder,
  { config, hash: configHash }: { readonly config: GatewayConfig; readonly hash: string },
  { action, name, role }: KeyChange,
): Promise<void> {
  await audit.act(config, {
    ...{ actor: 'system', requestId: null, address: null, configHash },
    ...{ action, detail: { name, role } },
  });
}
