import type { ObligationEntry } from '../types.ts';

/** The regulation that amended the AI Act in 2026; its text in the Official Journal was not read yet. */
const OMNIBUS = 'Regulation (EU) 2026/1744';

/** Duties about high-risk systems, which are later for those that are parts of products of Annex I. */
const HIGH_RISK = {
  appliesFrom: '2027-12-02',
  transitions: [{ scope: 'High-risk systems of Annex I', appliesFrom: '2028-08-02' }],
  role: ['provider'],
  riskClasses: ['high'],
  amendedBy: OMNIBUS,
} as const;

/** Chapters I and II, about every system. */
const PRACTICES = {
  appliesFrom: '2025-02-02',
  role: ['provider', 'deployer', 'importer', 'distributor'],
} as const;

/** Chapter V, about general-purpose models. */
const GENERAL_PURPOSE = {
  appliesFrom: '2025-08-02',
  transitions: [
    { scope: 'Models placed on the market before 2 August 2025', appliesFrom: '2027-08-02' },
  ],
  role: ['gpai'],
  riskClasses: ['gpai_systemic'],
} as const;

const TRANSPARENCY = {
  appliesFrom: '2026-08-02',
  transitions: [
    {
      scope: 'Article 50(2), systems placed on the market before 2 August 2026',
      appliesFrom: '2026-12-02',
    },
  ],
  role: ['provider', 'deployer'],
  riskClasses: ['limited', 'high', 'gpai', 'gpai_systemic'],
  amendedBy: OMNIBUS,
} as const;

/**
 * Regulation (EU) 2024/1689. Numbers are facts, titles our own words. The numbers were cross-checked with the
 * library of CISO Assistant, except those of Annex IV; dates and amendments come from secondary sources.
 */
export const EU_AI_ACT: readonly ObligationEntry[] = [
  {
    id: 'euaia-art-4',
    reference: 'Article 4',
    title: 'People who work with AI systems know enough about them',
    keywords: ['literacy', 'training'],
    ...PRACTICES,
    role: ['provider', 'deployer'],
    amendedBy: OMNIBUS,
  },
  {
    id: 'euaia-art-5',
    reference: 'Article 5',
    title: 'Practices that are banned outright',
    keywords: ['prohibited practices', 'manipulation'],
    ...PRACTICES,
  },
  {
    id: 'euaia-art-5-intimate-images',
    reference: 'Article 5 (added in 2026)',
    title: 'Ban on AI that makes intimate images of people without their consent',
    keywords: ['prohibited practices', 'intimate images'],
    ...PRACTICES,
    appliesFrom: '2026-12-02',
    amendedBy: OMNIBUS,
  },
  {
    id: 'euaia-art-9',
    reference: 'Article 9',
    title: 'Risk management system across the whole life of a high-risk system',
    keywords: ['risk management', 'testing'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-9-6-8',
    reference: 'Article 9(6)-(8)',
    title: 'Testing high-risk systems to find risk measures, against metrics fixed beforehand',
    keywords: ['testing', 'risk management', 'security testing'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-10',
    reference: 'Article 10',
    title: 'Training, validation and test data: governance and quality',
    keywords: ['data governance', 'data quality'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-10-2-f-g',
    reference: 'Article 10(2)(f)-(g)',
    title: 'Examining data sets for bias and countering it',
    keywords: ['bias', 'fairness', 'non-discrimination'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-11',
    reference: 'Article 11',
    title: 'Technical documentation kept up to date',
    keywords: ['documentation'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-12',
    reference: 'Article 12',
    title: 'Automatic event logging',
    keywords: ['logging', 'record keeping'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-12-2-3',
    reference: 'Article 12(2)-(3)',
    title:
      'Events that logs must make traceable, and what they record of remote biometric identification',
    keywords: ['logging', 'record keeping', 'traceability'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-13',
    reference: 'Article 13',
    title: 'Information and instructions given to deployers',
    keywords: ['transparency', 'instructions for use'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-14',
    reference: 'Article 14',
    title: 'Human oversight built in',
    keywords: ['human oversight'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-15-1-3',
    reference: 'Article 15(1)-(3)',
    title: 'Suitable accuracy, held over the life cycle and declared in the instructions',
    keywords: ['accuracy', 'output quality'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-15-4',
    reference: 'Article 15(4)',
    title: 'Resilience against errors, faults and feedback loops',
    keywords: ['robustness', 'adversarial robustness', 'output quality'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-15-5',
    reference: 'Article 15(5)',
    title: 'Resistance to attacks such as poisoning, adversarial examples and model evasion',
    keywords: ['cybersecurity', 'adversarial robustness', 'security testing'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-17-1',
    reference: 'Article 17(1)',
    title: 'Quality management system of the provider',
    keywords: ['quality management', 'quality assurance'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-17-1-d',
    reference: 'Article 17(1)(d)',
    title: 'Examination, test and validation before, during and after development',
    keywords: ['testing', 'quality assurance'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-19',
    reference: 'Article 19',
    title: 'Keeping the automatically made logs',
    keywords: ['record keeping', 'logging'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-20',
    reference: 'Article 20',
    title: 'Corrective action and informing others',
    keywords: ['corrective action'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-26-5',
    reference: 'Article 26(5)',
    title: 'Deployers watch operation and report to the provider',
    keywords: ['deployer duties', 'performance monitoring', 'continuous monitoring'],
    ...HIGH_RISK,
    role: ['deployer'],
  },
  {
    id: 'euaia-art-26-6',
    reference: 'Article 26(6)',
    title: 'Deployers keep the automatically made logs for at least six months',
    keywords: ['deployer duties', 'record keeping', 'logging'],
    ...HIGH_RISK,
    role: ['deployer'],
  },
  {
    id: 'euaia-art-27',
    reference: 'Article 27',
    title: 'Fundamental rights impact assessment by certain deployers',
    keywords: ['impact assessment', 'fundamental rights', 'non-discrimination'],
    ...HIGH_RISK,
    role: ['deployer'],
  },
  {
    id: 'euaia-art-50',
    reference: 'Article 50',
    title: 'Telling people they deal with AI and marking generated content',
    keywords: ['transparency'],
    ...TRANSPARENCY,
  },
  {
    id: 'euaia-art-53-1-a',
    reference: 'Article 53(1)(a)',
    title: 'General-purpose models: technical documentation, with testing and evaluation results',
    keywords: ['documentation', 'model evaluation'],
    ...GENERAL_PURPOSE,
    riskClasses: ['gpai', 'gpai_systemic'],
  },
  {
    id: 'euaia-art-55-1-a',
    reference: 'Article 55(1)(a)',
    title: 'General-purpose models with systemic risk: evaluation including adversarial tests',
    keywords: ['adversarial robustness', 'security testing', 'model evaluation'],
    ...GENERAL_PURPOSE,
  },
  {
    id: 'euaia-art-55-1-b',
    reference: 'Article 55(1)(b)',
    title: 'General-purpose models with systemic risk: assessing and reducing Union-level risks',
    keywords: ['risk management'],
    ...GENERAL_PURPOSE,
  },
  {
    id: 'euaia-art-72',
    reference: 'Article 72',
    title: 'Post-market monitoring plan and data on performance in use',
    keywords: ['performance monitoring', 'continuous monitoring', 'post-market monitoring'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-art-73',
    reference: 'Article 73',
    title: 'Reporting serious incidents',
    keywords: ['incident reporting'],
    ...HIGH_RISK,
  },
  {
    id: 'euaia-annex-iv-2-g',
    reference: 'Annex IV(2)(g)',
    title:
      'Documented validation and test procedures, with metrics for accuracy, robustness and discriminatory impact',
    keywords: ['testing', 'accuracy', 'fairness', 'non-discrimination', 'documentation'],
    ...HIGH_RISK,
  },
];
