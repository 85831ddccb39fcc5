import type { Violation } from './policy-types.ts';
import type { StageName, StageReport } from './types.ts';

/** The configuration was refused. `option` is the path of the option at fault. */
export class PipelineConfigError extends Error {
  override readonly name = 'PipelineConfigError';
  readonly code = 'PIPELINE_CONFIG_INVALID';
  readonly option: string;

  constructor(option: string, message: string) {
    super(`${option}: ${message}`);
    this.option = option;
  }
}

/** A stage used up its time budget. Caught by the pipeline; a stage lets it pass. */
export class StageTimeoutError extends Error {
  override readonly name = 'StageTimeoutError';
  readonly code = 'STAGE_TIMEOUT';

  constructor(stage: StageName, timeoutMs: number) {
    super(`stage ${stage} exceeded its time budget of ${timeoutMs} ms`);
  }
}

/** The caller's signal aborted the scan. `stages` says how far it came. */
export class ScanCanceledError extends Error {
  override readonly name = 'ScanCanceledError';
  readonly code = 'SCAN_CANCELLED';
  readonly stages: readonly StageReport[];

  constructor(stages: readonly StageReport[], cause?: unknown) {
    super('the scan was canceled by its caller', { cause });
    this.stages = stages;
  }
}

/** A sealed map of tokens could not be made or opened. */
export class RedactionError extends Error {
  override readonly name = 'RedactionError';
  readonly code = 'REDACTION_FAILED';
}

/** The response of a stream is longer, or has more parts, than is kept of it. */
export class StreamTooLongError extends Error {
  override readonly name = 'StreamTooLongError';
  readonly code = 'STREAM_TOO_LONG';

  constructor(limit: number, unit: 'UTF-16 units' | 'parts' = 'UTF-16 units') {
    super(`the stream is longer than ${limit} ${unit}`);
  }
}

/** The threads of a scan pool cannot scan: they ended before their work was done, or the pool is closed. */
export class ScanPoolError extends Error {
  override readonly name = 'ScanPoolError';
  readonly code = 'SCAN_POOL_FAILED';
}

/** A policy blocks what was to be passed on. `violation` says which one and why. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError';
  readonly code = 'BLOCKED';
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(`blocked: ${violation.reason}`);
    this.violation = violation;
  }
}
