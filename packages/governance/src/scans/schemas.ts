import { dataObject, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { POLICY_MODES } from '../policies/types.ts';
import { messages } from './request-schema.ts';
import { MAX_FINDINGS } from './types.ts';

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

export const finding = z
  .strictObject({
    stage: z.string(),
    type: z.string(),
    score: score.describe('Confidence that the type of the finding is correct.'),
    field: z.enum(['prompt', 'response', 'context', 'messages']),
    path: z
      .string()
      .optional()
      .describe(
        'Place of the text in `messages`, as in JavaScript: `[2].content[0].text`. Where a text is JSON, as the arguments of a ' +
          'tool call, it goes on within its value: `[3].tool_calls[0].function.arguments["home address"]`. In names of members ' +
          'found characters are replaced by `*`. Present only when field is messages.',
      ),
    inName: z
      .literal(true)
      .optional()
      .describe('The text is the name of the member at `path`, rather than its value.'),
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
      .describe(
        'Offset of the start, in UTF-16 code units of the field as sent, or of the text at `path`; of a number, of its digits.',
      ),
    end: z.int().nonnegative().describe('Offset after the end, likewise.'),
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

const skipped = z
  .array(z.strictObject({ path: z.string(), type: z.string() }).meta({ id: 'SkippedPart' }))
  .optional()
  .describe(
    'Parts of messages without a text that could be scanned, such as images; at most 1,000, absent without any.',
  );

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
        .union([
          z.strictObject({ prompt: z.string().nullable(), response: z.string() }),
          z.strictObject({ messages }),
        ])
        .optional()
        .describe(
          'The texts, or the messages in their own shape, with placeholders; present only when a policy redacts. Numbers that ' +
            'are replaced become strings.',
        ),
      skipped,
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
      skipped,
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
    responseHash: sha256.nullable().describe('Null for messages.'),
    contextHash: sha256.nullable().describe('Of the JSON array of the passages.'),
    messagesHash: sha256.nullable().describe('Of the JSON array of the messages.'),
    durationMs: z.number().nonnegative(),
    createdAt: timestamp,
  })
  .meta({ id: 'ScanRecord' });
