import { ProbityError, toProbityError } from '@probity/core';
import type { Violation } from '@probity/pipeline';
import { violationInWords } from '@probity/pipeline';

/** What an error says, in whatever form the interface has. */
export interface ProxyFault {
  readonly status: number;
  readonly message: string;
  /** A class of errors, such as `invalid_request_error`. */
  readonly type: string;
  readonly code: string | null;
  /** The member of the request at fault. */
  readonly param: string | null;
  readonly violation?: Violation | undefined;
  /** Whether message, type, code and param are a provider's words. */
  readonly isQuoted?: boolean | undefined;
}

/** Carries what an error of the proxy says beside its message. */
class FaultCause extends Error {
  readonly fault: ProxyFault;

  constructor(fault: ProxyFault) {
    super(fault.message);
    this.name = 'ProxyFault';
    this.fault = fault;
  }
}

/** The type of errors by which a policy blocks. */
export const BLOCKED_TYPE = 'probity_blocked';

/** An error of the proxy that is served with its status. */
export function proxyError(
  fault: Partial<ProxyFault> & Pick<ProxyFault, 'status' | 'message'>,
  headers: Readonly<Record<string, string>> = {},
): ProbityError {
  const whole = { type: 'invalid_request_error', code: null, param: null, ...fault };
  const { status, message } = whole;
  const cause = new FaultCause(whole);
  const kind = status >= 500 ? 'unavailable' : 'invalid_request';
  return new ProbityError(kind, message, { status, headers, cause });
}

/** Which part of a call a policy blocks. */
export type BlockedSide = 'request' | 'answer';

/** The error by which a policy blocks a request or an answer. */
export function blockedError(violation: Violation, side: BlockedSide): ProbityError {
  return proxyError(blockedFault(violation, side), { 'x-should-retry': 'false' });
}

/** What is said of a block. */
export function blockedFault(violation: Violation, side: BlockedSide): ProxyFault {
  return {
    status: 403,
    message: `Blocked by policy: ${violationInWords(violation)} (in the ${side}).`,
    type: BLOCKED_TYPE,
    code: violation.code,
    param: null,
    violation,
  };
}

const CODES: Partial<Record<ProbityError['kind'], readonly [type: string, code: string]>> = {
  unauthorized: ['invalid_request_error', 'invalid_api_key'],
  forbidden: ['invalid_request_error', 'insufficient_permissions'],
  rate_limited: ['requests', 'rate_limit_exceeded'],
  unavailable: ['server_error', 'unavailable'],
  internal: ['server_error', 'internal_error'],
};

/** What any error says. */
export function faultOf(error: ProbityError, status: number): ProxyFault {
  if (error.cause instanceof FaultCause) return error.cause.fault;
  const [type, code] = CODES[error.kind] ?? ['invalid_request_error', null];
  const param = error.details?.[0]?.field ?? null;
  return { status, message: error.message, type, code, param };
}

/** What records and traces say of an error: a word of the gateway's own, or the status of a provider. */
export function ownWordOf(error: unknown): string {
  const known = toProbityError(error);
  const { code, status, isQuoted } = faultOf(known, known.status);
  return isQuoted ? String(status) : (code ?? known.kind);
}
