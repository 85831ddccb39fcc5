/** What a protected text is: a text that must not be repeated, or a token that must never appear. */
export const PROTECTED_TEXT_KINDS = ['text', 'canary'] as const;
/** One of {@link PROTECTED_TEXT_KINDS}. */
export type ProtectedTextKind = (typeof PROTECTED_TEXT_KINDS)[number];

/** A protected text of an organization, without the text. */
export interface ProtectedText {
  /** `ptx_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly kind: ProtectedTextKind;
  /** Of the text in UTF-16 code units. */
  readonly length: number;
  /** SHA-256 of the text's UTF-8 in lower-case hex. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The same as it is stored. */
export interface StoredProtectedText extends ProtectedText {
  /** The text, sealed by the `SecretBox`. */
  readonly sealedText: string;
}

/** A protected text with its text. */
export interface ReadProtectedText extends ProtectedText {
  readonly text: string;
}

/** Input for a new protected text. */
export interface NewProtectedText {
  readonly name: string;
  /** Default `text`. */
  readonly kind?: ProtectedTextKind | undefined;
  readonly text: string;
}

/** The changes of an update; absent members stay as they are. */
export interface ProtectedTextChanges {
  readonly name?: string | undefined;
  readonly text?: string | undefined;
}
