/** Prefixes of identifiers, one for each kind of resource (contract, section 1). */
const ID_PREFIXES = [
  'aud',
  'org',
  'mem',
  'ses',
  'inv',
  'key',
  'sct',
  'whk',
  'whs',
  'evt',
  'dlv',
  'rpl',
  'alr',
  'pol',
  'scn',
  'crt',
  'sub',
  'ivc',
  'job',
  'req',
] as const;

/** One of {@link ID_PREFIXES}. */
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Prefixes of the tokens that Probity issues: API keys, SCIM tokens, invitations, password resets. */
export const TOKEN_PREFIXES = ['pbk_', 'psc_', 'pin_', 'prs_'] as const;

/** One of {@link TOKEN_PREFIXES}. */
export type TokenPrefix = (typeof TOKEN_PREFIXES)[number];
