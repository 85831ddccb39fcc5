import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { call } from './support.ts';

type ShieldWorld = Pick<RecipeWorld, 'url' | 'key'>;

const CLAIM = 'Refunds are possible within 30 days after the purchase.';

/** Adds the nugget that supports the certified text, unless it is there. */
async function addNugget({ url, key }: ShieldWorld): Promise<void> {
  const nugget = { claim: CLAIM, source_url: 'https://acme.example/terms', category: 'refunds' };
  await call(`${url}/api/v1/knowledge/nuggets`, key, 'POST', nugget);
}

/** Certifies a text; returns the certificate's id. */
export async function certificateId(world: ShieldWorld): Promise<string> {
  await addNugget(world);
  const { url, key } = world;
  const body = { content: CLAIM, certify: true };
  const answer = await call(`${url}/api/v1/shield/verify`, key, 'POST', body);
  return answer.body.data.certificate.id;
}

/** How each POST of verification and certificates is called, by operation. */
export const SHIELD_POSTS: Readonly<Record<string, CallRecipe>> = {
  verifyContent: async (world) => {
    await addNugget(world);
    return {
      path: '/api/v1/shield/verify',
      status: 200,
      body: { content: CLAIM, certify: true },
      otherBody: { content: CLAIM, certify: true, expiresInDays: 30 },
    };
  },
  revokeCertificate: async (world) => ({
    path: `/api/v1/shield/certificates/${await certificateId(world)}/revoke`,
    status: 200,
    body: { reason: 'The terms have changed.' },
    otherBody: { reason: 'Issued by mistake.' },
  }),
};

/** Valid bodies of changes, so that only the identifier can be refused. */
export const SHIELD_BODIES: Readonly<Record<string, unknown>> = {
  revokeCertificate: { reason: 'The terms have changed.' },
};
