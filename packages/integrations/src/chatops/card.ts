import type { Severity } from '@probity/core';

/** An Adaptive Card in the form of JSON. */
export type AdaptiveCard = Readonly<Record<string, unknown>>;

/** What a card shows. */
export interface CardContent {
  readonly title: string;
  readonly text: string;
  readonly color: 'default' | 'good' | 'warning' | 'attention';
  /** Name and value of each fact. */
  readonly facts: ReadonlyArray<readonly [title: string, value: string]>;
}

/** Colors of the titles of alerts. */
export const SEVERITY_COLORS: Readonly<Record<Severity, CardContent['color']>> = {
  low: 'default',
  medium: 'warning',
  high: 'attention',
  critical: 'attention',
};

/**
 * A card of version 1.4. The text is in a RichTextBlock, which shows it as it is: a TextBlock would read it as
 * Markdown.
 */
export function toCard({ title, text, color, facts }: CardContent): AdaptiveCard {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: `${title}: ${text}`,
    body: [
      {
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: title, size: 'large', weight: 'bolder', color }],
      },
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] },
      { type: 'FactSet', facts: facts.map(([name, value]) => ({ title: name, value })) },
    ],
  };
}
