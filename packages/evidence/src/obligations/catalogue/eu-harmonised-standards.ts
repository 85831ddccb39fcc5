import type { ObligationEntry } from '../types.ts';

/** Standards under way for the AI Act: numbers and subjects; none is cited in the Official Journal yet. ISO/IEC 42001 alone is not taken for Article 17. */
export const EU_HARMONISED_STANDARDS: readonly ObligationEntry[] = [
  {
    id: 'euhs-18286',
    reference: 'prEN 18286',
    title: 'Quality management system, for Article 17',
    keywords: ['quality management'],
    riskClasses: ['high'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'euhs-18229-1',
    reference: 'prEN 18229-1',
    title: 'Logging, for Article 12',
    keywords: ['logging', 'record keeping'],
    riskClasses: ['high'],
    status: { stage: 'enquiry', since: '2026-05-28' },
  },
  {
    id: 'euhs-18228',
    reference: 'prEN 18228',
    title: 'Risk management, for Article 9',
    keywords: ['risk management'],
    riskClasses: ['high'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'euhs-18282',
    reference: 'prEN 18282',
    title: 'Cybersecurity, for Article 15',
    keywords: ['cybersecurity'],
    riskClasses: ['high'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'euhs-18283',
    reference: 'prEN 18283',
    title: 'Bias, for Article 10',
    keywords: ['bias'],
    riskClasses: ['high'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'euhs-18284',
    reference: 'prEN 18284',
    title: 'Quality and governance of data, for Article 10',
    keywords: ['data quality', 'data governance'],
    riskClasses: ['high'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'euhs-18285',
    reference: 'prEN 18285',
    title: 'Conformity assessment, for Article 43',
    keywords: ['conformity assessment'],
    riskClasses: ['high'],
    status: { stage: 'draft', since: null },
  },
  {
    id: 'euhs-24970',
    reference: 'ISO/IEC DIS 24970',
    title: 'AI system logging, for Article 12',
    keywords: ['logging'],
    riskClasses: ['high'],
    status: { stage: 'draft', since: null },
  },
];
