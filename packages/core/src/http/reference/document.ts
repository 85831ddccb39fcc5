/** The parts of an OpenAPI document that the reference page shows. */
export interface ShownDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly servers?: ReadonlyArray<{ readonly url: string }>;
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: ShownOperation }>>;
  readonly components: ShownComponents;
}

interface ShownComponents {
  readonly schemas?: Readonly<Record<string, Schema>>;
  readonly parameters?: Readonly<Record<string, ShownParameter>>;
  readonly responses?: Readonly<Record<string, ShownResponse>>;
}

/** A reference to a component. */
export interface Reference {
  readonly $ref: string;
}

/** A JSON schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly [keyword: string]: unknown;
}

/** A body in one media type. */
export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, Media>>;

/** A parameter of a path, a query or a header. */
export interface ShownParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** A response of one status. */
export interface ShownResponse {
  readonly description: string;
  readonly content?: Content;
}

/** One operation, or one request that the service sends. */
export interface ShownOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly 'x-permission'?: string;
  readonly 'x-scope'?: string;
  readonly parameters: ReadonlyArray<ShownParameter | Reference>;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, ShownResponse | Reference>>;
}

/** Looks up a component that is referred to, or returns the part itself. */
export function resolve<Part extends object>(
  document: ShownDocument,
  kind: 'parameters' | 'responses',
  part: Part | Reference,
): Part {
  if (!('$ref' in part)) return part;
  const components = document.components[kind] as Readonly<Record<string, unknown>> | undefined;
  return components?.[nameOf(part)] as Part;
}

/** The name of the component that is referred to. */
export function nameOf({ $ref }: { readonly $ref: string }): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
