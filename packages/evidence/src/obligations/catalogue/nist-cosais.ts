import type { ObligationEntry } from '../types.ts';

/** COSAiS: overlays of the controls of NIST SP 800-53 for AI, by use case. */
export const NIST_COSAIS: readonly ObligationEntry[] = [
  {
    id: 'nist-cosais-generative',
    reference: 'Use case: generative AI',
    title: 'Controls for using and adapting generative assistants',
    keywords: ['technology controls', 'generative AI'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'nist-cosais-predictive',
    reference: 'Use case: predictive AI',
    title: 'Controls for using and tuning predictive models',
    keywords: ['technology controls'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'nist-cosais-single-agent',
    reference: 'Use case: single agent',
    title: 'Controls for a system of one agent',
    keywords: ['technology controls', 'agents'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'nist-cosais-multi-agent',
    reference: 'Use case: several agents',
    title: 'Controls for systems of several agents',
    keywords: ['technology controls', 'agents'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'nist-cosais-developers',
    reference: 'Use case: developers',
    title: 'Controls for those who develop AI',
    keywords: ['technology controls', 'development'],
    status: { stage: 'draft', since: null },
  },
];
