/** How the server answers a call with success. */
type AnswerKind = 'none' | 'json' | 'data' | 'list' | 'events' | 'download';

/** What the client needs to call an operation of the API. */
export interface Operation {
  /** The operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: string;
  /** The interface whose prefix stands before the path; `root`: none. */
  readonly api: 'general' | 'platform' | 'root';
  /** With parameters in braces: `/alerts/{alert_id}`. */
  readonly path: string;
  /** The parameters of the path in order, as arguments are named: `alertId`. */
  readonly parameters?: readonly string[];
  readonly takesQuery?: boolean;
  readonly takesBody?: boolean;
  /** The member of the body that may be given as its parts, which are sent as they come. */
  readonly partsOf?: string;
  readonly answer: AnswerKind;
  /** The member of an answer with a page that has the list. */
  readonly member?: string;
  /** Whether it takes an Idempotency-Key. */
  readonly isKeyed?: boolean;
  /** Whether it needs no credential. */
  readonly isPublic?: boolean;
}

/** Operations by group and name. */
export type OperationTable = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
