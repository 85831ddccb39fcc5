import { OBLIGATIONS } from './catalogue.ts';
import type { Framework, Signal } from './types.ts';

/** What a signal is about: frameworks, and the keywords that its obligations share with it. */
interface SignalHints {
  readonly frameworks: readonly Framework[];
  readonly keywords: readonly string[];
}

/** The mapping of findings to obligations (specification, "Evidence import"). */
export const SIGNAL_HINTS: Readonly<Record<Signal, SignalHints>> = {
  security: {
    frameworks: ['EU AI Act', 'NIST AI RMF', 'ISO 42001'],
    keywords: ['security testing', 'adversarial robustness', 'risk management'],
  },
  accuracy: {
    frameworks: ['EU AI Act', 'ISO 42001'],
    keywords: ['accuracy', 'output quality', 'performance monitoring'],
  },
  fairness: {
    frameworks: ['EU AI Act', 'NIST AI RMF'],
    keywords: ['bias', 'fairness', 'non-discrimination'],
  },
  'general testing': {
    frameworks: ['ISO 42001', 'SOC 2'],
    keywords: ['testing', 'quality assurance', 'continuous monitoring'],
  },
};

/**
 * The ids of the obligations that evidence with these signals supports, in the order of the catalogue: those
 * of a framework that a signal names which share a keyword with the same signal.
 */
export function matchObligations(signals: readonly Signal[]): string[] {
  const hints = signals.map((signal) => SIGNAL_HINTS[signal]);
  return OBLIGATIONS.filter(({ framework, keywords }) =>
    hints.some(
      (hint) =>
        hint.frameworks.includes(framework) &&
        keywords.some((keyword) => hint.keywords.includes(keyword)),
    ),
  ).map(({ id }) => id);
}
