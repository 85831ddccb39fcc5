import type { ObligationEntry } from '../types.ts';

/** AICPA TSP section 100, Trust Services Criteria of 2017 with the points of focus of 2022: numbers; the text is protected and not repeated. */
export const SOC_2: readonly ObligationEntry[] = [
  {
    id: 'soc2-cc3-2',
    reference: 'CC3.2',
    title: 'Risks to objectives are found and analysed',
    keywords: ['risk management'],
    checked: true,
  },
  {
    id: 'soc2-cc4-1',
    reference: 'CC4.1',
    title: 'Ongoing and separate evaluations of controls',
    keywords: ['continuous monitoring', 'testing', 'quality assurance'],
    checked: true,
  },
  {
    id: 'soc2-cc4-2',
    reference: 'CC4.2',
    title: 'Control deficiencies are judged and passed on',
    keywords: ['quality assurance'],
    checked: true,
  },
  {
    id: 'soc2-cc5-2',
    reference: 'CC5.2',
    title: 'General technology controls are chosen and built',
    keywords: ['technology controls'],
    checked: true,
  },
  {
    id: 'soc2-cc6-8',
    reference: 'CC6.8',
    title: 'Unauthorised or malicious software is prevented or found',
    keywords: ['malicious code'],
    checked: true,
  },
  {
    id: 'soc2-cc7-1',
    reference: 'CC7.1',
    title: 'Detecting new vulnerabilities and configuration drift',
    keywords: ['security testing', 'continuous monitoring'],
    checked: true,
  },
  {
    id: 'soc2-cc7-2',
    reference: 'CC7.2',
    title: 'Watching system parts for anomalies',
    keywords: ['continuous monitoring', 'performance monitoring'],
    checked: true,
  },
  {
    id: 'soc2-cc7-4',
    reference: 'CC7.4',
    title: 'Responding to security incidents',
    keywords: ['incident response'],
    checked: true,
  },
  {
    id: 'soc2-cc8-1',
    reference: 'CC8.1',
    title: 'Changes are authorised, tested and approved',
    keywords: ['testing', 'quality assurance'],
    checked: true,
  },
  {
    id: 'soc2-pi1-3',
    reference: 'PI1.3',
    title: 'Controls over processing so that it meets its objectives',
    keywords: ['quality assurance', 'output quality'],
  },
  {
    id: 'soc2-pi1-4',
    reference: 'PI1.4',
    title: 'Output reaches its users complete, accurate and on time',
    keywords: ['accuracy', 'output quality', 'quality assurance'],
  },
];
