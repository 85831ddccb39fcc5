import type { Guard, Policy, PolicyRule } from '@probity/pipeline';
import { builtInPolicyRules, createGuard, createPipeline } from '@probity/pipeline';

const policy = (id: string, ...rules: readonly PolicyRule[]): Policy => ({ id, name: id, rules });

/** 1. E-mail addresses and telephone numbers are replaced; the rest as usual. */
export const redactContacts: Guard = createGuard({
  policies: [
    policy(
      'redact-contacts',
      { stage: 'pii_scanner', types: ['email', 'phone_number'], action: 'redact' },
      ...builtInPolicyRules(),
    ),
  ],
});

/** 2. Cards and account numbers are blocked; other personal data may pass. */
export const blockPayments: Guard = createGuard({
  policies: [
    policy('block-payments', {
      stage: 'pii_scanner',
      types: ['credit_card', 'bank_account'],
      action: 'block',
    }),
  ],
});

/** 3. The address of the help desk is no personal data. */
export const ownAddress: Guard = createGuard({
  pipeline: createPipeline({
    stages: [{ name: 'pii_scanner', options: { exceptions: ['help@example.com'] } }],
  }),
  policies: [policy('own-address', { stage: 'pii_scanner', action: 'block' })],
});

/** 4. Nothing is blocked: everything is reported, as a first week in production wants it. */
export const onlyWatch: Guard = createGuard({
  policies: [
    policy(
      'only-watch',
      ...builtInPolicyRules().map((rule) => ({ ...rule, action: 'flag' as const })),
    ),
  ],
});

/** 5. Hate speech and harassment are blocked from a score of 0.5, other toxicity is reported. */
export const strictOnHate: Guard = createGuard({
  policies: [
    policy(
      'strict-on-hate',
      {
        stage: 'toxicity_scanner',
        types: ['hate_speech', 'harassment'],
        threshold: 0.5,
        action: 'block',
      },
      { stage: 'toxicity_scanner', action: 'flag' },
    ),
  ],
});

/** 6. Only prompts that try to take over the model are blocked; SQL and shell commands may pass. */
export const codingAssistant: Guard = createGuard({
  policies: [
    policy('coding-assistant', {
      stage: 'injection_scanner',
      types: ['prompt_injection'],
      threshold: 0.5,
      action: 'block',
    }),
  ],
});

/** 7. The system prompt, and a marker in it, must not be repeated. */
export const canary: Guard = createGuard({
  pipeline: createPipeline({
    stages: [
      {
        name: 'contamination_check',
        options: { protected: ['You are the assistant of Acme. Marker: 7f3d-acme-91c2.'] },
      },
    ],
  }),
  policies: [policy('canary', { stage: 'contamination_check', action: 'block' })],
});

/** 8. Answers that contradict what the company knows are blocked. */
export const knowledge: Guard = createGuard({
  pipeline: createPipeline({
    stages: [
      {
        name: 'output_truth_scanner',
        options: { knowledge: ['The warranty of the grinder is 24 months.'] },
      },
    ],
  }),
  policies: [
    policy('knowledge', {
      stage: 'output_truth_scanner',
      types: ['contradicted'],
      action: 'block',
    }),
  ],
});

/** 9. Answers that the retrieved passages do not support are blocked. */
export const grounded: Guard = createGuard({
  pipeline: createPipeline({ stages: [{ name: 'hallucination_detector' }] }),
  policies: [
    policy('grounded', { stage: 'hallucination_detector', threshold: 0.8, action: 'block' }),
  ],
});

/** 10. Two policies: across policies the strictest action wins. */
export const twoPolicies: Guard = createGuard({
  policies: [
    policy('company', { stage: 'pii_scanner', action: 'flag' }),
    policy('finance', { stage: 'pii_scanner', types: ['credit_card'], action: 'block' }),
  ],
});
