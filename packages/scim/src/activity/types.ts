/** A request of an identity provider, as an administrator sees it; without bodies and credentials. */
export interface ScimRequest {
  readonly at: Date;
  readonly method: string;
  /** Path and query below the SCIM interface, such as `/Users?filter=…`; at most 500 characters are kept. */
  readonly path: string;
  /** HTTP status of the response. */
  readonly status: number;
  /** What was wrong; null for success. At most 500 characters are kept. */
  readonly detail: string | null;
}
