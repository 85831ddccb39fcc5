import type { ToxicityCategory } from '@probity/pipeline';
import { TOXICITY_CATEGORIES } from '@probity/pipeline';
import type { Steps } from '@probity/pipeline/messages';
import { z } from 'zod';
import { messageSlots } from './slots.ts';
import type { DoorOutcome, DoorProtocol, DoorScan } from './types.ts';

/** The most texts of one request. */
const MAX_INPUTS = 100;

const INPUT = 'must be a text, a list of texts, or a list of parts with a text';

const part = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image_url') }),
]);

/** The request of OpenAI's moderations endpoint. */
export const moderationRequest = z
  .looseObject({
    input: z
      .union(
        [
          z.string(),
          z.array(z.string()).min(1).max(MAX_INPUTS),
          z.array(part).min(1).max(MAX_INPUTS),
        ],
        INPUT,
      )
      .describe(
        'A text, texts with a result each, or parts with one result for all of their texts. Images are not scanned.',
      ),
    model: z.string().max(200).nullish().describe('Repeated in the answer; it chooses nothing.'),
  })
  .meta({ id: 'ModerationRequest' });

/** OpenAI's categories, and the category of the toxicity stage that each stands for. */
const CATEGORIES = {
  harassment: 'harassment',
  'harassment/threatening': null,
  hate: 'hate_speech',
  'hate/threatening': null,
  illicit: null,
  'illicit/violent': null,
  'self-harm': 'self_harm',
  'self-harm/instructions': null,
  'self-harm/intent': null,
  sexual: 'sexual_content',
  'sexual/minors': null,
  violence: 'violence',
  'violence/graphic': null,
} as const satisfies Readonly<Record<string, ToxicityCategory | null>>;

type Category = keyof typeof CATEGORIES;
const NAMES = Object.keys(CATEGORIES) as Category[];

/** An object with a member for each of OpenAI's categories. */
function byCategory<Value>(toValue: (category: ToxicityCategory | null) => Value) {
  return Object.fromEntries(NAMES.map((name) => [name, toValue(CATEGORIES[name])])) as Record<
    Category,
    Value
  >;
}

/** The answer of OpenAI's moderations endpoint. */
export const moderationAnswer = z
  .strictObject({
    id: z.string(),
    model: z.string(),
    results: z.array(
      z.strictObject({
        flagged: z
          .boolean()
          .describe(
            'Whether a category is flagged, or a policy blocks or redacts the text for another reason.',
          ),
        categories: z.strictObject(byCategory(() => z.boolean())),
        category_scores: z.strictObject(byCategory(() => z.number().min(0).max(1))),
        category_applied_input_types: z
          .strictObject(byCategory(() => z.array(z.enum(['text']))))
          .describe('Empty for categories that are not detected by themselves.'),
      }),
    ),
  })
  .meta({ id: 'ModerationAnswer' });

type Request = z.infer<typeof moderationRequest>;
type Answer = z.infer<typeof moderationAnswer>;

/** OpenAI's `POST /v1/moderations`, by the types of openai 7.2.0 (`resources/moderations.ts`), as of 2026-11. */
export const moderations: DoorProtocol<Request, Answer> = {
  name: 'openai-moderations',
  *read({ input, model }) {
    const scans: DoorScan[] = [];
    for (const content of contentsOf(input)) scans.push(yield* scanOf(content));
    return {
      scans,
      write: (outcomes) => ({
        id: `modr-${outcomes.find(({ scan }) => scan)?.scan?.id ?? 'none'}`,
        model: model ?? 'probity',
        results: outcomes.map(toResult),
      }),
    };
  },
};

function contentsOf(input: Request['input']): readonly (string | readonly object[])[] {
  if (typeof input === 'string') return [input];
  if (input.every((each) => typeof each === 'string')) return input;
  return [input.map((each) => (typeof each === 'string' ? { type: 'text', text: each } : each))];
}

function* scanOf(content: string | readonly object[]): Steps<DoorScan> {
  const slots = content === '' ? [] : yield* messageSlots('user', [{ role: 'user', content }]);
  return { messages: slots.map(({ message }) => message), metadata: {} };
}

/** The number of scans that a request asks for, which are units of the quota. */
export function moderationScans({ input }: Request): number {
  return contentsOf(input).length;
}

function toResult({ scan, blocked, masked }: DoorOutcome): Answer['results'][number] {
  const scores = new Map<string, number>();
  for (const { stage, type, score } of scan?.findings ?? []) {
    if (stage !== 'toxicity_scanner') continue;
    scores.set(type, Math.max(score, scores.get(type) ?? 0));
  }
  const flagged = TOXICITY_CATEGORIES.some((category) => scores.has(category));
  return {
    // This answer has no place for a redacted text.
    flagged: flagged || blocked !== null || masked !== null,
    categories: byCategory((category) => category !== null && scores.has(category)),
    category_scores: byCategory((category) => (category && scores.get(category)) || 0),
    category_applied_input_types: byCategory((category) => (category ? ['text' as const] : [])),
  };
}
