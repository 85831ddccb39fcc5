import { BUILT_IN_STAGES } from '@probity/pipeline';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import { toTimestamp } from './scan-responses.ts';

/** `Pipeline`: the stages in force. */
export function toPipeline({ hash, loadedAt, stages }: GatewaySnapshot): object {
  return {
    config_hash: hash,
    loaded_at: toTimestamp(loadedAt),
    stages: stages.map(({ name, enabled, failOpen, threshold, timeoutMs }) => ({
      ...{ name, enabled },
      fail_open: failOpen,
      threshold: threshold ?? 0,
      timeout_ms: timeoutMs,
      target: BUILT_IN_STAGES.find((stage) => stage.name === name)?.reads.join(',') ?? '',
    })),
  };
}
