/** What a sentence is that says nothing that a source could entail or contradict. */
export type NonClaimKind =
  | 'marker'
  | 'heading'
  | 'question'
  | 'greeting'
  | 'thanks'
  | 'agreement'
  | 'closing'
  | 'apology'
  | 'offer'
  | 'announcement'
  | 'reservation'
  | 'documents'
  | 'first person';

/** A form of sentence: the expression sees it in lower case, without markup and the sign at its end. */
export interface NonClaimForm {
  readonly kind: NonClaimKind;
  /** Linear: every quantifier is bounded or simple. */
  readonly pattern: RegExp;
  /** Whether it may hold digits; what states a figure is a claim otherwise. */
  readonly digits?: boolean;
}
