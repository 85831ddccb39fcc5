/**
 * Why a back end gave no usable answer. `missing`: the package that it needs is not installed; `model`:
 * a local model cannot be loaded or run.
 */
export type BackendFailure =
  | 'timeout'
  | 'network'
  | 'status'
  | 'answer'
  | 'too_large'
  | 'missing'
  | 'model';

/** A back end gave no usable answer. The message holds no key, no address and nothing of any text. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly code = 'BACKEND_FAILED';
  readonly failure: BackendFailure;
  /** The HTTP status, where `failure` is `status`. */
  readonly status: number | undefined;

  constructor(failure: BackendFailure, message: string, status?: number) {
    super(message);
    this.failure = failure;
    this.status = status;
  }
}
