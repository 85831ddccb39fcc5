import { z } from 'zod';

/** The format of JSON Schema that marks a text as secret, so that documents show it too. */
const SECRET_FORMAT = 'password';

/**
 * Schema of a secret text in a response, such as a token. Responses that declare one are sent with
 * `Cache-Control: no-store`.
 */
export function secretText(): z.ZodString {
  return z.string().meta({ format: SECRET_FORMAT });
}

/** Whether the schema contains a {@link secretText}. */
export function containsSecret(schema: z.ZodType): boolean {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return JSON.stringify(json).includes(`"format":"${SECRET_FORMAT}"`);
}
