/** `invalid_json`: the text is not JSON; `invalid_evaluation`: it is not an evaluation that can be read. */
export type EvaluationErrorCode = 'invalid_json' | 'invalid_evaluation';

/** An evaluation that cannot be read. */
export class EvaluationError extends Error {
  readonly code: EvaluationErrorCode;
  /** Path of the member at fault, such as `evaltoolOutput.version`; empty for the whole text. */
  readonly path: string;

  /** @param message names the member and says what was expected; contains no text of the evaluation */
  constructor(code: EvaluationErrorCode, path: string, message: string) {
    super(message);
    this.name = 'EvaluationError';
    this.code = code;
    this.path = path;
  }
}
