import { z } from 'zod';
import { PROTECTED_TEXT_KINDS } from './types.ts';

/** Largest number of an organization's protected texts, and of their UTF-16 code units one by one and in all. */
export const MAX_PROTECTED_TEXTS = 200;
const MAX_TEXT_LENGTH = 100_000;
export const MAX_TOTAL_LENGTH = 1_000_000;

const NAME = 'must have 1 to 200 characters';
const TEXT = `must have 1 to ${MAX_TEXT_LENGTH} characters`;

export const protectedTextMembers = {
  name: z.string(NAME).trim().min(1, NAME).max(200, NAME),
  kind: z
    .enum(PROTECTED_TEXT_KINDS, `must be one of ${PROTECTED_TEXT_KINDS.join(', ')}`)
    .describe(
      '`text`: must not be repeated, also with changes or in an encoding. `canary`: a token that must never appear.',
    ),
  text: z.string(TEXT).min(1, TEXT).max(MAX_TEXT_LENGTH, TEXT),
};

const { name, kind, text } = protectedTextMembers;

/** What creates a protected text, over HTTP and in code. */
export const newProtectedText = z
  .strictObject({
    name,
    kind: kind.optional(),
    text: text.refine((value) => value.trim() !== '', 'must not be blank'),
  })
  .meta({ id: 'NewProtectedText' });

/** What changes a protected text. */
export const protectedTextChanges = newProtectedText
  .omit({ kind: true })
  .partial()
  .meta({ id: 'ProtectedTextChanges' });
