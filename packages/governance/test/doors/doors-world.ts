import assert from 'node:assert/strict';
import type { Policy } from '@probity/pipeline';
import type { TestLifetime } from '@probity/test-support';
import { createApi } from '../api.ts';

/** Addresses are redacted, numbers of persons and injections block. */
const POLICY: Policy = {
  ...{ id: 'pol_doors', name: 'Doors', enabled: true },
  rules: [
    { stage: 'pii_scanner', types: ['email'], action: 'redact' },
    { stage: 'pii_scanner', types: ['ssn', 'credit_card'], action: 'block' },
    { stage: 'injection_scanner', threshold: 0.5, action: 'block' },
    { stage: 'toxicity_scanner', action: 'flag' },
  ],
};

export const LITELLM = '/doors/litellm/beta/litellm_basic_guardrail_api';
export const AGENTGATEWAY = '/doors/agentgateway';
export const PORTKEY = '/doors/portkey';
export const MODERATIONS = '/doors/openai/v1/moderations';

/** The API with a policy, and what asks its doors. */
export async function open(t: TestLifetime) {
  const api = await createApi(t, { policies: [POLICY] });
  const ask = async (path: string, body: unknown) => {
    const answer = await api.request('POST', path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const records = async () =>
    (await api.scans.list(api.context, {}, { limit: 50, offset: 0 })).items;
  return { ...api, ask, records };
}
