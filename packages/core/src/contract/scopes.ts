/**
 * Scopes of tokens that may call some endpoints only, `resource:capability`. Each endpoint declares
 * the scope that it needs; one without a scope refuses such tokens.
 */
export const SCOPES = [
  'webhooks:view',
  'webhooks:endpoint',
  'webhooks:secret',
  'webhooks:attempts',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];
