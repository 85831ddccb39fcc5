/** Most operations of a bulk request. */
export const MAX_BULK_OPERATIONS = 1_000;

/** Largest body of a request in bytes: a group of 10,000 members in one PUT. */
export const MAX_BODY_BYTES = 10 * 1_048_576;
