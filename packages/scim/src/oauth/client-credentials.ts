/** An access token for the SCIM interface. */
export interface IssuedAccessToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Issues access tokens by client credentials (RFC 6749, section 4.4), which the authentication of the SCIM interface
 * accepts. `scimAccess.clientCredentials` of the platform fits it.
 */
export interface ClientCredentials {
  /** Null for a client that is not known. */
  issue(client: {
    readonly clientId: string;
    readonly clientSecret: string;
    /** The client's address; null when there is none. */
    readonly address: string | null;
  }): Promise<IssuedAccessToken | null>;
}
