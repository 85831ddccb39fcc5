import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { call } from './support.ts';

type GovernanceWorld = Pick<RecipeWorld, 'url' | 'key'>;

/** The path of policies. */
const POLICIES = '/api/v1/governance/policies';

const CONTACTS = {
  name: 'Contacts are redacted',
  description: 'Replaces addresses and telephone numbers in answers.',
  rules: [{ stage: 'pii_scanner', types: ['email', 'phone_number'], action: 'redact' }],
};

/** The path of protected texts. */
const PROTECTED_TEXTS = '/api/v1/governance/protected-texts';

const PRICES = {
  name: 'Price list',
  text: 'Partners in the northern region have a rebate of fourteen percent on orders above nine hundred pieces.',
};

/** Creates a protected text; returns its id. */
export async function protectedTextId({ url, key }: GovernanceWorld): Promise<string> {
  return (await call(url + PROTECTED_TEXTS, key, 'POST', PRICES)).body.data.id;
}

/** Creates a policy that applies to the scans that name it; returns its id. */
export async function policyId({ url, key }: GovernanceWorld): Promise<string> {
  const answer = await call(url + POLICIES, key, 'POST', { ...CONTACTS, default: false });
  return answer.body.data.id;
}

/** Scans a text that is redacted with tokens; returns the sealed map. */
async function redactionMapOf(world: GovernanceWorld): Promise<string> {
  const policyIds = [await policyId(world)];
  const body = { response: 'Write to maria.keller@example.org.', redaction: 'token', policyIds };
  const answer = await call(`${world.url}/api/v1/governance/scan`, world.key, 'POST', body);
  return answer.body.data.redactionMap;
}

/** How each POST of governance is called, by operation. */
export const GOVERNANCE_POSTS: Readonly<Record<string, CallRecipe>> = {
  createPolicy: async () => ({
    path: POLICIES,
    status: 201,
    body: { ...CONTACTS, default: false },
    otherBody: { name: 'Trial', mode: 'monitor', rules: [] },
  }),
  createProtectedText: async () => ({
    path: PROTECTED_TEXTS,
    status: 201,
    body: PRICES,
    otherBody: { name: 'Token', kind: 'canary', text: 'canary-7f3a9c51e2' },
  }),
  restoreRedacted: async (world) => {
    const redactionMap = await redactionMapOf(world);
    return {
      path: '/api/v1/governance/restore',
      status: 200,
      body: { text: 'Write to the address above.', redactionMap },
      otherBody: { text: 'Nothing to restore.', redactionMap },
    };
  },
  dryRunPolicy: async () => ({
    path: `${POLICIES}/dry-run`,
    status: 200,
    body: { rules: [{ stage: 'pii_scanner', action: 'block' }], last: 100 },
    otherBody: { rules: [], last: 100 },
  }),
};

/** How each PATCH and DELETE of governance is called, by operation. */
export const GOVERNANCE_CHANGES: Readonly<Record<string, CallRecipe>> = {
  updatePolicy: async (world) => ({
    path: `${POLICIES}/${await policyId(world)}`,
    status: 200,
    body: { mode: 'monitor' },
    otherBody: { enabled: false },
  }),
  updateProtectedText: async (world) => ({
    path: `${PROTECTED_TEXTS}/${await protectedTextId(world)}`,
    status: 200,
    body: { name: 'Prices of partners' },
    otherBody: { name: 'Rebates' },
  }),
  deleteProtectedText: async (world) => ({
    path: `${PROTECTED_TEXTS}/${await protectedTextId(world)}`,
    status: 204,
  }),
  deletePolicy: async (world) => ({ path: `${POLICIES}/${await policyId(world)}`, status: 204 }),
};

/** Valid bodies of changes, so that only the identifier can be refused. */
export const GOVERNANCE_BODIES: Readonly<Record<string, unknown>> = {
  updatePolicy: { name: 'Another name' },
  updateProtectedText: { name: 'Another name' },
};
