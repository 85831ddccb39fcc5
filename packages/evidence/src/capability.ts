import type { Capability, RetentionRule, Runtime } from '@probity/core';
import { createKeyedLimit, DAY_MS } from '@probity/core/internal';
import { generalErrors } from '@probity/core/koa';
import { createAiSystems } from './ai-systems/ai-systems.ts';
import { createEvidenceTrimmer } from './chain/retention.ts';
import { sealedEvidenceHeads } from './chain/sealed.ts';
import type { VerifyEvidence } from './chain/verify.ts';
import { verifyEvidenceChain } from './chain/verify.ts';
import { createCoverage } from './coverage/coverage.ts';
import { evidenceDocumentation } from './documentation.ts';
import type { OrganizationName } from './exports/exports.ts';
import { createEvidenceExports } from './exports/exports.ts';
import { evidenceEndpoints } from './http.ts';
import { createEvidenceImports } from './imports/imports.ts';
import type { RedactTexts } from './imports/types.ts';
import { createEvidenceRecords } from './records/records.ts';
import { createReports } from './report/report.ts';
import { createRuntimeSubscriber } from './runtime/subscriber.ts';
import type { EvidenceServices } from './services.ts';
import type { EvidenceStorage } from './storage.ts';
import { createEvidenceTrend } from './trend/trend.ts';

/** Options of {@link createEvidenceCapability}. */
export interface EvidenceCapabilityOptions {
  /** Bound to the runtime's database. */
  readonly storage: EvidenceStorage;
  /** Days after which records are removed, and only their nodes in the chain stay; default null: never. */
  readonly retentionDays?: number | null | undefined;
  /** Finds the name of an organization for its documents; default: its id is shown. */
  readonly organizationName?: OrganizationName | undefined;
  /** Replaces personal data and secrets in the texts of imported files; default: they are stored unscanned. */
  readonly redactTexts?: RedactTexts | undefined;
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/**
 * The evidence capability: services, endpoints, retention and key rotation. The ends of the chains are sealed where the
 * runtime has a secret box.
 */
export function createEvidenceCapability(
  runtime: Runtime,
  options: EvidenceCapabilityOptions,
): Capability<EvidenceServices> {
  const { storage, retentionDays = null, prefix = '/api/v1' } = options;
  const services = createServices(runtime, options);
  return {
    name: 'evidence',
    services,
    groups: [
      {
        prefix,
        errorFormat: generalErrors,
        endpoints: evidenceEndpoints(services),
        documentation: evidenceDocumentation,
      },
    ],
    subscribers: [createRuntimeSubscriber(runtime, { storage })],
    retention: retentionDays === null ? [] : [retentionRule(runtime, storage, retentionDays)],
    sealed: [sealedEvidenceHeads(storage)],
  };
}

function createServices(
  runtime: Runtime,
  { storage, organizationName, redactTexts }: EvidenceCapabilityOptions,
): EvidenceServices {
  // Verifications of one organization wait for each other: each reads the whole chain.
  const inTurn = createKeyedLimit(1);
  const verify: VerifyEvidence = ({ principal: { organizationId } }) =>
    inTurn(organizationId, () => verifyEvidenceChain(storage, organizationId, runtime.secretBox));
  const coverage = createCoverage(runtime, { storage });
  return {
    aiSystems: createAiSystems(runtime, { storage }),
    records: createEvidenceRecords(runtime, { storage }),
    imports: createEvidenceImports(runtime, { storage, redactTexts }),
    exports: createEvidenceExports({ storage, organizationName }),
    coverage,
    trend: createEvidenceTrend({ storage }),
    report: createReports(runtime, { storage, coverage, verify, organizationName }),
    verify,
  };
}

function retentionRule(
  runtime: Runtime,
  storage: EvidenceStorage,
  retentionDays: number,
): RetentionRule {
  return {
    name: 'evidence',
    olderThanMs: retentionDays * DAY_MS,
    deleteBatch: createEvidenceTrimmer(runtime, storage),
  };
}
