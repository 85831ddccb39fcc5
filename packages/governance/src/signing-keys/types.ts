/** The public part of a key as a JSON Web Key (RFC 8037). */
export interface PublicKey {
  /** The thumbprint of the key (RFC 7638). */
  readonly id: string;
  /** The public key, in base64url. */
  readonly x: string;
}

/** A key that certificates are signed with, one at a time for all organizations. */
export interface SigningKey extends PublicKey {
  /** The private key, sealed for `signing_key:<id>`. */
  readonly sealedKey: string;
  readonly createdAt: Date;
}
