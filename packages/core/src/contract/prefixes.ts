/** Prefixes of identifiers, one for each kind of resource (contract, section 1). */
const ID_PREFIXES = [
  'aud',
  'org',
  'mem',
  'ses',
  'inv',
  'key',
  'sct',
  'ptk',
  'whk',
  'whs',
  'evt',
  'dlv',
  'rpl',
  'alr',
  'act',
  'pol',
  'ptx',
  'scn',
  'crt',
  'sub',
  'ivc',
  'job',
  'req',
  'nug',
  'cor',
  'imp',
  'itg',
] as const;

/** One of {@link ID_PREFIXES}. */
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Prefixes of tokens of limited scope, one for each kind: portal tokens of webhooks. */
export const SCOPED_TOKEN_PREFIXES = ['ppt_'] as const;

/** One of {@link SCOPED_TOKEN_PREFIXES}. */
export type ScopedTokenPrefix = (typeof SCOPED_TOKEN_PREFIXES)[number];

/**
 * Prefixes of the tokens that Probity issues: API keys, SCIM tokens, invitations, password resets, and
 * tokens of limited scope.
 */
export const TOKEN_PREFIXES = ['pbk_', 'psc_', 'pin_', 'prs_', ...SCOPED_TOKEN_PREFIXES] as const;

/** One of {@link TOKEN_PREFIXES}. */
export type TokenPrefix = (typeof TOKEN_PREFIXES)[number];
