import type { CallContext } from '@probity/core';
import { validationError } from '@probity/core';
import type { Applicable, DecidedScan, ScanRequest } from '@probity/governance';
import { decideScan } from '@probity/governance';
import type { Pipeline } from '@probity/pipeline';
import { createPipeline } from '@probity/pipeline';
import type { ScanSubject } from '../audit/rows.ts';
import type { ScanOrigin } from '../snapshot/allowlists.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import { spanOf } from '../tracing/tracing.ts';
import { withDeadline } from './deadline.ts';
import { valuesOf } from './found-values.ts';
import type { ScannerOptions } from './report.ts';
import { reportFailure, reportScan } from './report.ts';
import type { ScanSummary } from './scan-summary.ts';
import { summaryOf } from './scan-summary.ts';
import type { GatewayStream, GatewayStreamRequest } from './text-stream.ts';
import { openTextStream } from './text-stream.ts';

/** What every entrance asks for. */
export interface GatewayScanRequest {
  readonly content: ScanRequest;
  readonly origin: ScanOrigin;
  /** What is recorded of where the texts come from. */
  readonly about?: ScanSubject | undefined;
  /** Some of the stages that are on; absent or empty for all of them. */
  readonly stages?: readonly string[] | undefined;
}

/** What every entrance gets. */
interface GatewayScan {
  readonly decided: DecidedScan;
  readonly summary: ScanSummary;
}

/** Scans for every entrance, under one snapshot. */
export interface GatewayScanner {
  readonly snapshot: GatewaySnapshot;
  /** The pipeline of the snapshot with the knowledge base that is open by the time of a scan. */
  readonly pipeline: Pipeline;
  /** Where scans are counted, logged and recorded. */
  readonly reporting: ScannerOptions;
  /**
   * Scans by the configuration; counts and logs the scan, whatever comes of it.
   *
   * @throws ProbityError `validation_failed` for policies and stages that do not exist and for tokens;
   *   `unavailable` with status 504 when the scan takes longer than `server.request_timeout_ms`
   * @throws ScanCanceledError when the context's signal aborts
   */
  scan(context: CallContext, request: GatewayScanRequest): Promise<GatewayScan>;
  /**
   * Opens a text that comes in parts; it is counted and logged at its end.
   *
   * @throws ProbityError `validation_failed` for policies that do not exist
   */
  open(context: CallContext, request: GatewayStreamRequest): GatewayStream;
}

const NOTHING = createPipeline({ stages: [] });

/** Creates the scanner that all entrances of a snapshot share. */
export function createGatewayScanner(
  snapshot: GatewaySnapshot,
  options: ScannerOptions,
): GatewayScanner {
  const { clock } = options;
  return {
    snapshot,
    reporting: options,
    pipeline: {
      ...snapshot.pipeline,
      scan: (input, given) => options.informed(snapshot.pipeline).scan(input, given),
    },
    async scan(context, request) {
      const startedAtMs = clock.monotonicMs();
      const elapsed = () => clock.monotonicMs() - startedAtMs;
      const { about, origin } = request;
      const { userId } = origin;
      const span = spanOf(context)?.child('scan');
      try {
        const scan = await scanWithin(snapshot, options, context, request, span);
        const { summary, decided } = scan;
        const facts = {
          userId,
          about,
          findings: decided.findings,
          matched: valuesOf(request.content),
        };
        reportScan(snapshot, options, context, { summary, durationMs: elapsed(), facts, span });
        return scan;
      } catch (error) {
        reportFailure(snapshot, options, context, {
          error,
          durationMs: elapsed(),
          userId,
          about,
          span,
        });
        throw error;
      }
    },
    open(context, request) {
      requireOwnPolicy(snapshot, request.policyIds);
      return openTextStream(snapshot, options, context, request);
    },
  };
}

async function scanWithin(
  snapshot: GatewaySnapshot,
  { clock, ids, cached }: ScannerOptions,
  context: CallContext,
  { content, origin, stages = [] }: GatewayScanRequest,
  span: TraceSpan | undefined,
): Promise<GatewayScan> {
  requireOwnPolicy(snapshot, content.policyIds);
  const bypass = snapshot.allowlists.bypassOf(origin);
  const isRedacting = (content.redaction ?? null) !== null;
  const { blocking, redacting } = snapshot.policies;
  const policies = isRedacting ? redacting : blocking;
  const pipeline = cached(choosePipeline(snapshot, stages, policies), span);
  const facilities = { clock, ids, secretBox: undefined };
  const limitMs = snapshot.config.server.request_timeout_ms;
  const decided = await withDeadline({ clock, limitMs }, context, (signal) =>
    decideScan(
      facilities,
      context,
      content,
      bypass === null
        ? { pipeline, policies, isStored: false, signal }
        : { pipeline: NOTHING, policies: [], isStored: false, signal },
    ),
  );
  return { decided, summary: summaryOf(decided, bypass) };
}

/** A choice of stages must not leave out every stage that acts. */
function choosePipeline(
  snapshot: GatewaySnapshot,
  names: readonly string[],
  policies: readonly Applicable[],
): Pipeline {
  if (names.length === 0) return snapshot.pipeline;
  const on = snapshot.stages.filter(({ enabled }) => enabled).map(({ name }) => name);
  const unknown = names.flatMap((name, index) =>
    on.some((known) => known === name)
      ? []
      : [{ field: `stages.${index}`, message: `is no stage that is on; on are ${on.join(', ')}` }],
  );
  if (unknown.length > 0) throw validationError(...unknown);
  const acting = on.filter((name) => policies.some((policy) => actsOn(policy, name)));
  if (acting.length > 0 && !names.some((name) => acting.some((each) => each === name))) {
    const message = `must include a stage that blocks or redacts: ${acting.join(', ')}`;
    throw validationError({ field: 'stages', message });
  }
  return snapshot.pipelineOf(names);
}

function actsOn({ mode, policy }: Applicable, name: string): boolean {
  return (
    mode === 'enforce' &&
    policy.rules.some(
      ({ stage, action }) => stage === name && (action === 'block' || action === 'redact'),
    )
  );
}

function requireOwnPolicy(
  { policies }: GatewaySnapshot,
  policyIds: ScanRequest['policyIds'],
): void {
  if (policyIds === undefined || policyIds === null) return;
  const known = policies.blocking.map(({ id }) => id);
  const message = `is unknown; the gateway has ${known.join(', ')}`;
  const unknown = policyIds.flatMap((id, index) =>
    known.includes(id) ? [] : [{ field: `policyIds.${index}`, message }],
  );
  if (unknown.length > 0) throw validationError(...unknown);
}
