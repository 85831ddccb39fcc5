import { z } from 'zod';

/**
 * What a reload does with a changed key. `L`: it takes effect. `R`: it needs a restart; the old value
 * stays. `LR`: the configured part is rebuilt in the background.
 */
export type ReloadClass = 'L' | 'R' | 'LR';

/** What is known of a key beside its type: it stands in the JSON Schema under these names. */
export interface KeyFacts {
  readonly description: string;
  readonly 'x-reload': ReloadClass;
  /** Values are never printed. */
  readonly 'x-secret'?: true;
  /** What a text is: `a path`. */
  readonly 'x-form'?: string;
  /** A value for the example file of a key without a default. */
  readonly 'x-example'?: unknown;
  /** What holds without the key, where that is no value. */
  readonly 'x-without'?: string;
}

type Extra = Partial<Omit<KeyFacts, 'description' | 'x-reload'>>;

/** A key with its facts. */
export function key<Schema extends z.ZodType>(
  schema: Schema,
  reload: ReloadClass,
  description: string,
  extra: Extra = {},
): Schema {
  return schema.meta({ description, 'x-reload': reload, ...extra });
}

/** A section: unknown keys are refused, an absent or an empty one has its defaults. */
export function section<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  return z
    .strictObject(shape)
    .prefault({} as never)
    .meta({ description });
}

/** true or false. */
export function flag(value: boolean) {
  return z.boolean().default(value);
}

/** A whole number. */
export function whole(least: number, most: number, value: number) {
  return z.int().min(least).max(most).default(value);
}

/** A number from 0 to 1. */
export function share(value: number) {
  return z.number().min(0).max(1).default(value);
}

/** A number from 0 to 1 that may be absent. */
export function optionalShare() {
  return z.number().min(0).max(1).optional();
}

/** One of several words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  value: Words[number],
) {
  return z.enum(words).default(value as never);
}

/** A text that `test` accepts; `form` says what it must be. */
export function textOf(form: string, test: RegExp | ((text: string) => boolean)) {
  const accepts = typeof test === 'function' ? test : (text: string) => test.test(text);
  return z
    .string()
    .refine(accepts, { error: `expected ${form}` })
    .meta({ 'x-form': form });
}

const CONTROL = /\p{C}/u;

/** The path of a file. */
export const path = textOf('a path', (text) => text !== '' && !CONTROL.test(text));

/** The path of an HTTP endpoint. */
export const urlPath = textOf(
  'a path such as /health: a slash, then letters, digits and - . _ ~ /',
  /^\/[\w.~/-]{0,255}$/,
);
