/** The messages of proto/ext_proc.proto as the loader makes them. */
export interface WireHeaderMap {
  readonly headers: readonly {
    readonly key: string;
    readonly value: string;
    readonly raw_value: Buffer;
  }[];
}

/** `HttpHeaders`. */
export interface WireHeaders {
  readonly headers: WireHeaderMap | null;
  readonly end_of_stream: boolean;
}

/** `HttpBody`. */
export interface WireBody {
  readonly body: Buffer;
  readonly end_of_stream: boolean;
}

/** How Envoy sends a body. */
export type BodyMode =
  | 'NONE'
  | 'STREAMED'
  | 'BUFFERED'
  | 'BUFFERED_PARTIAL'
  | 'FULL_DUPLEX_STREAMED'
  | 'GRPC';

interface WireStruct {
  readonly fields: Readonly<Record<string, { readonly stringValue?: string } | undefined>>;
}

/** `ProcessingRequest`. */
export interface WireRequest {
  readonly request_headers?: WireHeaders | null;
  readonly response_headers?: WireHeaders | null;
  readonly request_body?: WireBody | null;
  readonly response_body?: WireBody | null;
  readonly request_trailers?: object | null;
  readonly response_trailers?: object | null;
  readonly attributes: Readonly<Record<string, WireStruct | undefined>>;
  readonly observability_mode: boolean;
  readonly protocol_config: {
    readonly request_body_mode: BodyMode;
    readonly response_body_mode: BodyMode;
  } | null;
}

/** The two halves of an exchange. */
export type Side = 'request' | 'response';

/** `ProcessingResponse`. */
export type WireResponse = Readonly<Record<string, unknown>>;

/** Headers by their names in lower case. */
export type HeaderValues = Readonly<Record<string, string>>;

/** Reads headers; of one that is sent twice the values are joined, as in HTTP. */
export function readHeaders(map: WireHeaderMap | null): HeaderValues {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { key, value, raw_value } of map?.headers ?? []) {
    const name = key.toLowerCase();
    const text = raw_value.length > 0 ? raw_value.toString('latin1') : value;
    values[name] = values[name] === undefined ? text : `${values[name]}, ${text}`;
  }
  return values;
}

/** An attribute that Envoy sends with a message, such as `source.address`. */
export function attributeOf({ attributes }: WireRequest, name: string): string | undefined {
  for (const struct of Object.values(attributes)) {
    const text = struct?.fields[name]?.stringValue;
    if (text) return text;
  }
  return undefined;
}
