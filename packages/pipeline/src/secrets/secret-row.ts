/** The types that the stage `secrets_scanner` reports. The finding's reason names the vendor, if any. */
export type SecretType =
  | 'api_key'
  | 'access_token'
  | 'private_key'
  | 'jwt'
  | 'connection_string'
  | 'webhook_url'
  | 'password';

/** A form of secret that begins with one of a few literals. */
export interface PrefixedRow {
  readonly vendor: string;
  readonly type: SecretType;
  /** The literals that a value begins with; the first two signs of each are ASCII. */
  readonly opens: readonly string[];
  /** Expression for what follows the literal. Every quantifier has an upper bound. */
  readonly body: string;
  /** Where the form is documented. */
  readonly source: string;
  /** Whether the check digits of a value are right; a value with wrong ones is reported with less confidence. */
  readonly check?: (value: string) => boolean;
  /** Whether a value can be one at all; others are not reported. */
  readonly accepts?: (value: string) => boolean;
  /** Confidence without a checksum. Default 0.95. */
  readonly score?: number;
  /** Values that the vendor prints in its documentation: reported with less confidence, placeholder or not. */
  readonly documented?: RegExp;
}

/** A form that only the name of the vendor shortly before it makes a secret. */
export interface NamedRow {
  readonly vendor: string;
  readonly type: SecretType;
  /**
   * Lower case; one of them stands at most 48 characters before the value. It, or what stands between,
   * has a word of credentials such as `key` or `token`.
   */
  readonly names: readonly string[];
  /** Expression for what stands between the name and the value, where that is fixed. */
  readonly between?: string;
  /** Expression for the value. */
  readonly value: string;
  readonly source: string;
  /** Values that the vendor prints in its documentation. */
  readonly documented?: RegExp;
}

/** A form with a literal that is not at its beginning. */
export interface InnerRow {
  readonly vendor: string;
  readonly type: SecretType;
  /** Its first two signs are ASCII. */
  readonly literal: string;
  /** How many signs of the value come before the literal. */
  readonly before: number;
  /** Expression for the whole value. */
  readonly value: string;
  readonly source: string;
}
