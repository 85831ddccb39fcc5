import { z } from 'zod';
import { parseConfidence } from './confidence.ts';

const CLAIM = 'must have 1 to 4,000 characters';
const SOURCE_URL = 'must be an http or https URL of at most 2,048 characters';
const CATEGORY = 'must have 1 to 200 characters, or be null';
const CONFIDENCE = 'must be a number from 0 to 1, or one of low, medium, high, or null';
const CREATED_AT = 'must be an ISO 8601 date, or a time with an offset';

const claim = z
  .string(CLAIM)
  .trim()
  .min(1, CLAIM)
  .max(4_000, CLAIM)
  .describe('A statement that is taken for true.');

const sourceUrl = z
  .string(SOURCE_URL)
  .trim()
  .max(2_048, SOURCE_URL)
  .refine(isWebAddress, SOURCE_URL)
  .describe('Where it comes from.');

const category = z
  .string(CATEGORY)
  .trim()
  .min(1, CATEGORY)
  .max(200, CATEGORY)
  .nullable()
  .describe("In the organization's own words.");

/** A confidence as it is given; see `toConfidence`. */
const confidence = z
  .union([z.number(CONFIDENCE), z.string(CONFIDENCE)], CONFIDENCE)
  .refine((value) => parseConfidence(value) !== undefined, CONFIDENCE)
  .nullable()
  .describe('A number from 0 to 1, or `low` (0.3), `medium` (0.6), `high` (0.9).');

const createdAt = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], CREATED_AT)
  .refine((text) => !Number.isNaN(Date.parse(text)), CREATED_AT)
  .describe('When the statement was made; default: now.');

/** What creates a nugget, over HTTP and as a row of an import. */
export const newNugget = z
  .strictObject({
    claim,
    source_url: sourceUrl,
    category: category.optional(),
    confidence: confidence.optional(),
    created_at: createdAt.optional(),
  })
  .meta({ id: 'NewNugget' });

/** What changes a nugget over HTTP. */
export const nuggetChanges = z
  .strictObject({
    claim: claim.optional(),
    source_url: sourceUrl.optional(),
    category: category.optional(),
    confidence: confidence.optional(),
  })
  .meta({ id: 'NuggetChanges' });

/** What creates a nugget in code. */
export const newNuggetInput = z.strictObject({
  claim,
  sourceUrl,
  category: category.optional(),
  confidence: confidence.optional(),
  createdAt: z.date().optional(),
});

/** What changes a nugget in code. */
export const nuggetChangesInput = newNuggetInput.omit({ createdAt: true }).partial();

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && host !== '';
}
