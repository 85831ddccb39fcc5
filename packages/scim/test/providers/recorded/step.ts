import { PATCH_OP } from '../../api.ts';

/**
 * What a provider believes that a resource has; null: that there is none. An attribute that is null is one that the
 * resource does not have.
 */
export type Believed = Readonly<Record<string, unknown>> | null;

/** A request of a provider, and what it believes afterwards of the resources that the request is about. */
export interface Step {
  readonly send: readonly [method: string, path: string, body?: object];
  readonly status: number;
  /** The name by which later steps call the resource that a POST creates, as `{name}`. */
  readonly as?: string;
  /** By name; of other resources it believes what it did. */
  readonly believes?: Readonly<Record<string, Believed>>;
  /** Number of results of a list. */
  readonly finds?: number;
}

/** The requests of a provider in their order. */
export interface Sequence {
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the base URL has after it: it becomes the query of every request. */
  readonly query?: string;
  readonly steps: readonly Step[];
}

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The body of a PATCH with these operations. */
export const patch = (...Operations: object[]): object => ({ schemas: [PATCH_OP], Operations });

/** A search by filter. */
export const find = (type: string, filter: string, rest = '') =>
  ['GET', `/${type}?filter=${encodeURIComponent(filter)}${rest}`] as const;
