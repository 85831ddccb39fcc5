import type { z } from 'zod';
import type { KeptReply } from '../idempotency/kept-replies.ts';

/** One response that an endpoint may return. */
export interface ResponseDeclaration {
  readonly description: string;
  /** Schema of a JSON response; absent for a response of bytes or without a body. */
  readonly schema?: z.ZodType;
  /**
   * With a schema: overrides the interface's media type. Without one: the media types of a response
   * of bytes or of a stream.
   */
  readonly mediaType?: string | readonly string[];
  /**
   * Documents the JSON of a stream that may have the type `application/json`, or the data of each event of a
   * `text/event-stream`; it is not checked.
   */
  readonly streamed?: z.ZodType;
}

/** The responses of an endpoint by status. */
export type ResponseDeclarations = Readonly<Record<number, ResponseDeclaration>>;

/** Optional parts of a response besides its status and body. */
export interface ReplyExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[];
  /** The body as JSON, where `JSON.stringify` would round its numbers. */
  readonly json?: string | undefined;
}

/** Source of a stream; strings are sent as UTF-8. */
export type StreamedChunks = AsyncIterable<Uint8Array | string>;

/** The parts of a response. */
export interface ReplyParts extends KeptReply, ReplyExtras {
  /** A response of bytes or of a stream instead of JSON. */
  readonly content?: {
    readonly contentType: string;
    readonly data: Uint8Array | StreamedChunks;
  };
}

declare const declared: unique symbol;

/** A response that matches its endpoint's declaration; created only by {@link ReplyFunction}. */
export interface Reply extends ReplyParts {
  readonly [declared]: true;
}

type StatusOf<Responses> = Extract<keyof Responses, number>;

type ReplyArguments<Declaration> = Declaration extends { readonly schema: infer Schema }
  ? Schema extends z.ZodType
    ? [body: z.output<Schema>, extras?: ReplyExtras]
    : never
  : Declaration extends { readonly mediaType: string | readonly string[] }
    ? never
    : [body?: undefined, extras?: ReplyExtras];

type MediaTypes<Type> = Type extends readonly (infer Each extends string)[]
  ? Each
  : Type extends string
    ? Type
    : never;

type StreamTypesOf<Responses> = Responses extends { readonly 200: infer Declaration }
  ? Declaration extends { readonly schema: z.ZodType }
    ? never
    : Declaration extends { readonly mediaType: infer Type }
      ? MediaTypes<Type>
      : never
  : never;

type ContentType<Type extends string> = Type | `${Type};${string}`;

/**
 * Creates the responses of an endpoint. An undeclared status and a missing or excess member of the
 * body are compile errors.
 */
export interface ReplyFunction<Responses> {
  /** A JSON response, or one without a body when the status declares no schema. */
  <Status extends StatusOf<Responses>>(
    status: Status,
    ...rest: ReplyArguments<Responses[Status]>
  ): Reply;
  /**
   * Status 200 with bytes sent as they are produced, at the client's pace. The iterable is ended
   * (`return`) when the client disconnects; one that waits should also listen to `context.signal`.
   * An error after the head has been sent destroys the connection and is logged.
   */
  stream(
    contentType: ContentType<StreamTypesOf<Responses>>,
    chunks: StreamedChunks,
    extras?: ReplyExtras,
  ): Reply;
  /** Bytes, such as a file, with status 200 unless another declared one is given. */
  bytes(
    contentType: ContentType<StreamTypesOf<Responses>>,
    bytes: Uint8Array,
    extras?: ReplyExtras & { readonly status?: StatusOf<Responses> },
  ): Reply;
}

function withContent(
  contentType: string,
  data: Uint8Array | StreamedChunks,
  extras?: ReplyExtras,
): Reply {
  return issue({ status: 200, content: { contentType, data }, ...extras });
}

function issue(parts: ReplyParts): Reply {
  return parts as Reply;
}

/** The implementation of every endpoint's `reply`. */
export const reply: ReplyFunction<ResponseDeclarations> = Object.assign(
  (status: number, body?: unknown, extras?: ReplyExtras): Reply =>
    issue(extras ? { status, body, ...extras } : { status, body }),
  { stream: withContent, bytes: withContent },
);

/** Media types of a response of bytes or of a stream; empty for any other. */
export function contentTypesOf({ schema, mediaType }: ResponseDeclaration): readonly string[] {
  if (schema !== undefined || mediaType === undefined) return [];
  return typeof mediaType === 'string' ? [mediaType] : mediaType;
}
