import type { FieldError } from '../errors.ts';

/** Limits of a body. */
export interface BodyRules {
  /** Accepted media types, in lower case. */
  readonly types: readonly string[];
  /** Whether a body without Content-Type is accepted, as one of them. */
  readonly isTypeOptional: boolean;
  /** Largest body in bytes. */
  readonly limit: number;
  /** The faults of a parsed body that its schema does not name. */
  readonly faultsOfBody?: ((body: unknown) => Promise<readonly FieldError[]>) | undefined;
  /** Called with the validated body and its bytes. */
  readonly noteBody?: ((value: unknown, bytes: Uint8Array) => void | Promise<void>) | undefined;
}
