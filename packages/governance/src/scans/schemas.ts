import { dataObject, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { POLICY_MODES } from '../policies/types.ts';
import { REDACTION_STYLES } from './restoration.ts';
import { withinSize } from './sizes.ts';
import { MAX_FINDINGS } from './types.ts';

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

/** Body of `POST /governance/scan` (contract, section 7). */
export const scanRequest = z
  .strictObject({
    prompt: text.nullish().describe('The prompt sent to the model; null is the same as absent.'),
    response: text.min(1, 'must not be empty').describe('The response of the model.'),
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
          'in any case, disabled ones never.',
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
  })
  .meta({ id: 'ScanRequest' });

const score = z.number().min(0).max(1);
const scores = z
  .strictObject({
    pii: score.nullable(),
    injection: score.nullable(),
    toxicity: score.nullable(),
    hallucination: score.nullable(),
    truth: score
      .nullable()
      .optional()
      .describe(
        'Probability of a contradiction to the knowledge base; present when the check is enabled.',
      ),
    contamination: score
      .nullable()
      .optional()
      .describe('Probability that protected text is repeated; present when the check is enabled.'),
  })
  .catchall(score.nullable())
  .describe(
    'Null when the stage is disabled, or did not finish and had found nothing. Further members are the scores of further stages.',
  )
  .meta({ id: 'Scores' });

const stages = z
  .array(
    z
      .strictObject({
        name: z.string(),
        status: z.enum(['ok', 'not_covered', 'timeout', 'failed', 'cancelled', 'not_reached']),
        durationMs: z.number().nonnegative(),
      })
      .meta({ id: 'StageResult' }),
  )
  .describe(
    'Result of each stage. not_covered: the stage cannot judge these texts, for example because of their language; one with another status than ok has not examined all of the text.',
  );

const finding = z
  .strictObject({
    stage: z.string(),
    type: z.string(),
    score: score.describe('Confidence that the type of the finding is correct.'),
    field: z.enum(['prompt', 'response', 'context']),
    contextIndex: z
      .int()
      .nonnegative()
      .optional()
      .describe('Index of the passage in context; present only when field is context.'),
    nugget: z
      .int()
      .nonnegative()
      .optional()
      .describe('Index of the statement in the knowledge base; present only for truth stages.'),
    nuggetId: z.string().optional().describe('Id of the statement; absent when it has none.'),
    start: z
      .int()
      .nonnegative()
      .describe('Offset of the start, in UTF-16 code units of the field as sent.'),
    end: z
      .int()
      .nonnegative()
      .describe('Offset after the end, in UTF-16 code units of the field as sent.'),
    action: z.enum(['block', 'redact', 'flag', 'allow']),
  })
  .meta({ id: 'Finding' });

const found = {
  findings: z
    .array(finding)
    .describe(`At most ${MAX_FINDINGS} findings; the most severe ones when there are more.`),
  findingCount: z
    .int()
    .nonnegative()
    .optional()
    .describe('Number of all findings; present only when not all are listed.'),
};

/** The verdicts of scans. */
export const VERDICTS = ['allowed', 'flagged', 'blocked'] as const;
const violationCodes = ['INJECTION_ATTEMPT_DETECTED', 'PII_DETECTED', 'POLICY_BLOCKED'] as const;

const judged = {
  policies: z
    .array(
      z
        .strictObject({
          id: z.string(),
          version: z.int().positive(),
          mode: z.enum(POLICY_MODES),
        })
        .meta({ id: 'AppliedPolicy' }),
    )
    .describe('The policies that were applied, in the versions that judged the scan.'),
  monitored: z
    .array(
      z
        .strictObject({
          policyId: z.string(),
          version: z.int().positive(),
          verdict: z.enum(VERDICTS),
          reason: z.string().nullable(),
          code: z.enum(violationCodes).nullable(),
        })
        .meta({ id: 'MonitoredDecision' }),
    )
    .describe(
      'What policies in the mode `monitor` would have decided: the verdict, and why they would have blocked or redacted.',
    ),
};

/** Response to a scan that is not blocked. */
export const passedScan = dataObject(
  z
    .strictObject({
      id: z.string(),
      verdict: z.enum(['allowed', 'flagged']),
      scores,
      stages,
      ...found,
      redacted: z
        .strictObject({ prompt: z.string().nullable(), response: z.string() })
        .optional()
        .describe('The texts with placeholders; present only when a policy redacts.'),
      policyIds: z.array(z.string()).describe('The ids of `policies`.'),
      redactionMap: z
        .string()
        .optional()
        .describe(
          'The tokens with their values, sealed for `POST /governance/restore`; present only with tokens.',
        ),
      ...judged,
      durationMs: z.number().nonnegative(),
      createdAt: timestamp,
    })
    .meta({ id: 'Scan' }),
);

/** Response to a blocked scan (specification, "General API format"). */
export const blockedScan = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(violationCodes),
      message: z.string(),
      statusCode: z.literal(403),
      requestId: z.string(),
    }),
    governance: z.strictObject({
      verdict: z.literal('blocked'),
      policy_id: z.string(),
      policy_version: z
        .int()
        .positive()
        .nullable()
        .describe('Null where a stage that fails closed blocks without a policy.'),
      violation_reason: z.string(),
      scan_id: z.string(),
      scores,
      stages,
      ...found,
      ...judged,
    }),
  })
  .meta({
    id: 'BlockedScan',
    description:
      'A policy blocks the content. The member `governance` distinguishes this response from errors.',
  });

const sha256 = z.string().length(64).describe('SHA-256 in lower-case hex.');

/** The stored record of a scan. */
export const scanRecord = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['single']),
    verdict: z.enum(VERDICTS),
    scores,
    findings: found.findings,
    findingCount: z.int().nonnegative().describe('Number of all findings, listed or not.'),
    ...judged,
    violation: z
      .strictObject({ policyId: z.string(), code: z.enum(violationCodes), reason: z.string() })
      .nullable()
      .describe('Why the scan was blocked; null where it was not.'),
    unfinished: z.array(z.string()).describe('Stages that did not examine everything.'),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    aiSystemId: z.uuid().nullable(),
    memberId: z.string(),
    keyId: z.string(),
    promptHash: sha256.nullable(),
    responseHash: sha256,
    contextHash: sha256.nullable().describe('Of the JSON array of the passages.'),
    durationMs: z.number().nonnegative(),
    createdAt: timestamp,
  })
  .meta({ id: 'ScanRecord' });
