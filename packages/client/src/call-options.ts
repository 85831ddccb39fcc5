/** An answer of the server, as `onResponse` sees it: for logs and for the headers of rate limits. */
export interface ResponseInfo {
  /** The operationId of the OpenAPI document. */
  readonly operationId: string;
  /** The HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** Of the header X-Request-Id; null without it. */
  readonly requestId: string | null;
  /** 1 for the first attempt of the call. */
  readonly attempt: number;
}

/** Options of one call; they override those of the client. */
export interface CallOptions {
  /** Ends the call, its retries and the waits between them; the call then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds that one attempt may take; for streams, that may pass without data. Default: the
   * client's.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated where that is safe. Default: the client's. */
  readonly retries?: number | undefined;
  /** Further headers of the request, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called with the answer of every attempt before its body is read. */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

/** Options of a call that changes something. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. The server performs the calls of one operation with the same
   * key once within 24 hours and repeats its answer. Default: a random key for each call, so that its
   * retries have no further effect. Pass one to make calls of several processes one.
   */
  readonly idempotencyKey?: string | undefined;
}
