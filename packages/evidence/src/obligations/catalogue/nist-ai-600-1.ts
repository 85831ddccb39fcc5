import type { ObligationEntry } from '../types.ts';

/** NIST AI 600-1, Generative AI Profile of the AI RMF: its twelve risks, in our own words. */
export const NIST_AI_600_1: readonly ObligationEntry[] = [
  {
    id: 'nist-600-1-cbrn',
    reference: '2.1',
    title: 'Help with chemical, biological, radiological or nuclear harm',
    keywords: ['dangerous capabilities'],
  },
  {
    id: 'nist-600-1-confabulation',
    reference: '2.2',
    title: 'Confident output that is false',
    keywords: ['confabulation', 'accuracy'],
  },
  {
    id: 'nist-600-1-dangerous-content',
    reference: '2.3',
    title: 'Output that incites violence, hate or self-harm',
    keywords: ['harmful content'],
  },
  {
    id: 'nist-600-1-privacy',
    reference: '2.4',
    title: 'Disclosure or inference of personal data',
    keywords: ['privacy'],
  },
  {
    id: 'nist-600-1-environment',
    reference: '2.5',
    title: 'Use of energy and other resources',
    keywords: ['environment'],
  },
  {
    id: 'nist-600-1-bias',
    reference: '2.6',
    title: 'Harmful bias and sameness of output',
    keywords: ['bias', 'fairness', 'non-discrimination'],
  },
  {
    id: 'nist-600-1-human-ai',
    reference: '2.7',
    title: 'People trust the system too much, or in the wrong places',
    keywords: ['human oversight', 'overreliance'],
  },
  {
    id: 'nist-600-1-information-integrity',
    reference: '2.8',
    title: 'Misinformation and disinformation made easy',
    keywords: ['information integrity'],
  },
  {
    id: 'nist-600-1-information-security',
    reference: '2.9',
    title: 'Attacks by the model and on it, such as prompt injection',
    keywords: ['security testing', 'adversarial robustness'],
  },
  {
    id: 'nist-600-1-intellectual-property',
    reference: '2.10',
    title: 'Reproduction of protected works and secrets',
    keywords: ['intellectual property'],
  },
  {
    id: 'nist-600-1-obscene-content',
    reference: '2.11',
    title: 'Obscene, degrading or abusive output',
    keywords: ['harmful content'],
  },
  {
    id: 'nist-600-1-value-chain',
    reference: '2.12',
    title: 'Third-party parts that cannot be traced',
    keywords: ['third parties'],
  },
];
