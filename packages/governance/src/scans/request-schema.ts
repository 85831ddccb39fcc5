import type { FieldError } from '@probity/core';
import { z } from 'zod';
import { faultsOfForm, faultsOfWhole, MAX_MESSAGES, MAX_TEXTS } from './content.ts';
import { REDACTION_STYLES } from './restoration.ts';
import { withinSize } from './sizes.ts';
import type { ScanRequest } from './types.ts';

const MAX_PASSAGES = 1_000;
const MAX_POLICIES = 100;
const MAX_METADATA = 50;
const MAX_TAG_LENGTH = 1_000;

const text = z.string('must be a string');

const metadata = withinSize(
  MAX_METADATA,
  'entries',
  z.record(
    z.string().min(1).max(100, 'must have a name of at most 100 characters'),
    z.union(
      [
        z.string().max(MAX_TAG_LENGTH, `must have at most ${MAX_TAG_LENGTH} characters`),
        z.number(),
        z.boolean(),
      ],
      'must be a string, a number or a boolean',
    ),
    'must be an object of strings, numbers and booleans',
  ),
);

/** A conversation; its form is checked with the whole request. */
export const messages = z.array(
  z.unknown().meta({
    id: 'Message',
    type: 'object',
    additionalProperties: true,
    description:
      'A message of OpenAI’s chat completions or an item of its responses, of the AI SDK, or of Anthropic’s API: a `role` with ' +
      'a text or parts as `content`, tool calls with arguments, results of tools, reasoning.',
    examples: [{ role: 'user', content: 'What is the capital of France?' }],
  }),
  'must be a list of messages',
);

/** The members of a request to scan. */
const scanMembers = {
  prompt: text.nullish().describe('The prompt sent to the model; null is the same as absent.'),
  response: text
    .nullish()
    .describe(
      'The response of the model; required unless messages are given. An empty one scans the prompt alone.',
    ),
  messages: messages
    .nullish()
    .describe(
      'A conversation in place of prompt and response, the oldest message first: at most ' +
        `${MAX_MESSAGES} messages with at most ${MAX_TEXTS} texts.`,
    ),
  context: withinSize(
    MAX_PASSAGES,
    'passages',
    z.union(
      [z.string(), z.array(z.string()).max(MAX_PASSAGES)],
      'must be a string or a list of strings',
    ),
  )
    .nullish()
    .describe('Retrieved passages, in the order given to the model.'),
  policyIds: withinSize(
    MAX_POLICIES,
    'policies',
    z
      .array(text, 'must be a list of policy ids')
      .min(1, 'must name at least one policy')
      .max(MAX_POLICIES),
  )
    .nullish()
    .describe(
      "Ids of the policies to apply; by default the organization's default policies. Those bound to the calling key apply " +
        'in any case, and so do the default ones, unless the caller has the permission `policies:write`. Disabled ones never ' +
        'apply; if none of the policies is enforced, the scan is refused.',
    ),
  redaction: z
    .enum(REDACTION_STYLES, `must be one of ${REDACTION_STYLES.join(', ')}`)
    .nullish()
    .describe(
      'What takes the place of redacted values: a numbered `placeholder` (default), a `mask` of the same shape, or a `token` ' +
        'that `POST /governance/restore` turns back into the value.',
    ),
  aiSystemId: z
    .uuid('must be the UUID of an AI system')
    .nullish()
    .describe('The AI system that the scan is about; stored as it is given.'),
  metadata: metadata
    .nullish()
    .describe('Custom tags stored with the scan; must not hold content of prompts or responses.'),
};

/** Refuses what the members do not say, beside their own faults. */
function withFaults<Request extends z.ZodObject>(
  request: Request,
  toContent: (value: ScanRequest) => ScanRequest,
  faultsOf: (request: ScanRequest) => FieldError[] = faultsOfForm,
) {
  return request.superRefine(
    (value, context) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const given = toContent(value as ScanRequest);
      const isOtherType = (given.messages ?? null) !== null && !Array.isArray(given.messages);
      for (const { field, message } of faultsOf(given)) {
        if (isOtherType && field === 'messages') continue;
        context.addIssue({ code: 'custom', path: field.split('.'), message });
      }
    },
    { when: () => true },
  );
}

const asIs = (value: ScanRequest): ScanRequest => value;

/** Body of `POST /governance/scan` (contract, section 7). */
export const scanRequest = withFaults(z.strictObject(scanMembers), asIs, faultsOfWhole).meta({
  id: 'ScanRequest',
});

const { redaction: __, ...itemMembers } = scanMembers;

/** What is scanned as one item of a batch: a single scan without the style of redacted texts, which a batch does not keep. */
export const scanItemRequest = withFaults(z.strictObject(itemMembers), asIs, faultsOfWhole).meta({
  id: 'ScanBatchItemRequest',
});

const { response: _, ...membersOfAsked } = scanMembers;
const askedMembers = {
  ...membersOfAsked,
  latency: z
    .literal('chat', "must be 'chat' or absent")
    .nullish()
    .describe(
      '`chat` releases text by the sentence as soon as nothing in it can still become a finding of personal data.',
    ),
};

/** The first line of `POST /governance/scan/stream` as JSON Lines. */
export const streamedScanRequest = withFaults(z.strictObject(askedMembers), (value) =>
  (value.messages ?? null) === null ? { ...value, response: '' } : value,
).meta({ id: 'StreamedScanRequest' });

/** The same with the response as a whole, as JSON; it is the next message where messages are given. */
export const scanStreamRequest = withFaults(
  z.strictObject({
    ...askedMembers,
    response: text.describe('The response of the model; with messages it is the next one.'),
  }),
  ({ response, ...value }) => ((value.messages ?? null) === null ? { ...value, response } : value),
).meta({ id: 'ScanStreamRequest' });
