/** Most operations of a bulk request. */
export const MAX_BULK_OPERATIONS = 500;

/**
 * Most operations of a PATCH. It is not less than that of bulk requests: authentik sends one operation for each member,
 * as many in one PATCH as `bulk.maxOperations` says (goauthentik/authentik, providers/scim/clients/groups.py).
 */
export const MAX_PATCH_OPERATIONS = 500;

/** Largest body of a request in bytes: a group of 10,000 members in one PUT. */
export const MAX_BODY_BYTES = 10 * 1_048_576;
