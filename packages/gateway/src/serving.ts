import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Idempotency, Ids, Logger, Metrics } from '@probity/core';
import { createIds } from '@probity/core';
import type { BodyBudget } from '@probity/core/internal';
import { PROCESS_BODY_BUDGET } from '@probity/core/internal';
import type { RequestHandler } from '@probity/core/koa';
import type { Pipeline, PipelineDependencies } from '@probity/pipeline';
import type { KeyStore } from './api-keys/key-store.ts';
import { faultOfKeys, openKeyStore } from './api-keys/key-store.ts';
import { isAuditing } from './audit/auditing.ts';
import type { AuditRecorder } from './audit/recorder.ts';
import { createAuditRecorder } from './audit/recorder.ts';
import type { AuditTrail } from './audit/trail.ts';
import { createUserErasure } from './audit/user-erasure.ts';
import type { Caches, CountedCache } from './cache/caches.ts';
import { createCaches } from './cache/caches.ts';
import { withScanCache } from './cache/scan-cache.ts';
import type { Primary } from './cluster/part.ts';
import type { Shared } from './cluster/shared.ts';
import type { GatewayKey } from './compliance/gateway-key.ts';
import { openGatewayKey } from './compliance/gateway-key.ts';
import { createPersonalData } from './compliance/personal-data.ts';
import type { GatewayConfig } from './config/read-config.ts';
import type { Environment } from './config/substitution.ts';
import { createGatewayApplication } from './http/application.ts';
import type { HttpEntrance } from './http/entrance.ts';
import { proxyEntrances } from './http/proxy-entrance.ts';
import { scanEntrance } from './http/scan-entrance.ts';
import { createGatewayIdempotency } from './idempotency/idempotency-part.ts';
import type { KnowledgeBases } from './knowledge/knowledge-bases.ts';
import { createKnowledgeBases, withKnowledge } from './knowledge/knowledge-bases.ts';
import type { VectorKnowledge } from './knowledge/vector-knowledge.ts';
import type { GatewayLimiter } from './limits/gateway-limiter.ts';
import type { ModelLimits } from './limits/model-limits.ts';
import { createModelLimits } from './limits/model-limits.ts';
import { mcpEntrance } from './mcp/entrance.ts';
import type { RefusedTools } from './mcp/refused-tools.ts';
import { createRefusedTools } from './mcp/refused-tools.ts';
import type { McpUpstream } from './mcp/upstream.ts';
import { createMcpUpstream } from './mcp/upstream.ts';
import type { GatewayMetrics } from './metrics/gateway-metrics.ts';
import { createGatewayMetrics } from './metrics/gateway-metrics.ts';
import type { AlertMonitor } from './monitoring/alert-monitor.ts';
import type { GatewayHealth } from './monitoring/health.ts';
import { createGatewayHealth } from './monitoring/health.ts';
import type { Probes } from './monitoring/probes.ts';
import { createProbes } from './monitoring/probes.ts';
import type { Refusals } from './monitoring/refusals.ts';
import { createRefusals } from './monitoring/refusals.ts';
import type { PlatformRules } from './platform/rules.ts';
import { toKnownClaims } from './platform/rules.ts';
import { readVersion } from './program/version.ts';
import type { FailedAttempts } from './proxy/failed-attempts.ts';
import { createFailedAttempts } from './proxy/failed-attempts.ts';
import type { ResponseOwners } from './proxy/response-owners.ts';
import { createResponseOwners } from './proxy/response-owners.ts';
import type { Upstream, UpstreamOptions } from './proxy/upstream.ts';
import { createUpstream } from './proxy/upstream.ts';
import type { Reloader } from './reload/reloader.ts';
import type { GatewayScanner } from './scanner/scanner.ts';
import { createGatewayScanner } from './scanner/scanner.ts';
import type { Signatures } from './signing/signatures.ts';
import { createSignatures } from './signing/signatures.ts';
import { readKnowledgeFile } from './snapshot/knowledge-file.ts';
import type { ModelBackends } from './snapshot/model-backends.ts';
import { createModelBackends } from './snapshot/model-backends.ts';
import type { KnownClaim } from './snapshot/pipeline-config.ts';
import { createSnapshot } from './snapshot/snapshot.ts';
import type { Certificates } from './tls/certificates.ts';
import { createCertificates } from './tls/certificates.ts';
import type { TlsMaterial } from './tls/material.ts';
import { loadTlsMaterial } from './tls/material.ts';
import { withCacheSpans } from './tracing/cache-spans.ts';
import type { Tracers } from './tracing/tracers.ts';
import { createTracers } from './tracing/tracers.ts';
import type { TraceSpan, Tracing } from './tracing/tracing.ts';

/** What serves under one snapshot. */
export interface Serving {
  readonly scanner: GatewayScanner;
  readonly handler: RequestHandler;
  /** Null without client certificates, and where a reload names no files: those in force stay. */
  readonly tls: TlsMaterial | null;
  /**
   * Opens what the configuration is served with, before it is put in force. What does not answer is tried again later.
   */
  open(): Promise<void>;
  /** Lets go of what former configurations have opened. */
  use(): void;
}

/** What is in force, and whether requests are taken. A reload replaces the reference. */
export interface Current {
  readonly serving: Serving | null;
  readonly isTaking?: boolean;
}

/** What outlives reloads. */
export interface Surroundings {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly keys: KeyStore;
  readonly limiter: GatewayLimiter;
  /** The memory that requests may occupy, over HTTP and gRPC together. */
  readonly bodyBudget: BodyBudget;
  readonly signatures: Signatures;
  readonly idempotency: Idempotency;
  /** What lives once for all serving processes. */
  readonly primary: Primary;
  readonly alerts: AlertMonitor;
  readonly health: GatewayHealth;
  readonly metrics: GatewayMetrics;
  /** Null where the listeners take plain text. */
  readonly certificates: Certificates | null;
  readonly key: GatewayKey;
  readonly trail: AuditTrail;
  readonly audit: AuditRecorder;
  readonly caches: Caches;
  readonly knowledgeBases: KnowledgeBases;
  readonly modelBackends: ModelBackends;
  readonly probes: Probes;
  readonly refusals: Refusals;
  readonly failedAttempts: FailedAttempts;
  /** Delays of the event loop. */
  readonly lag: ReturnType<typeof monitorEventLoopDelay>;
  readonly env: Environment;
  /** The connections to providers of models. */
  readonly upstream: Upstream;
  /** Calls MCP servers. */
  readonly mcpUpstream: McpUpstream;
  readonly refusedTools: RefusedTools;
  readonly responseOwners: ResponseOwners;
  /** Aborted when the gateway ends. */
  readonly end: AbortController;
  /** The scanner in force. */
  readonly latest: () => GatewayScanner;
  readonly modelLimits: ModelLimits;
  readonly tracers: Tracers;
  /** Replaces parts of the pipeline. */
  readonly pipeline: PipelineDependencies | undefined;
}

/** What surroundings are made with. */
interface SurroundingsOptions {
  /** The configuration file: what is stored stands beside it unless the environment says otherwise. */
  readonly file: string;
  readonly config: GatewayConfig;
  readonly env: Environment;
  readonly keysFile: string;
  readonly upstream?: UpstreamOptions | undefined;
  readonly bodyBudget?: BodyBudget | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shared: Shared;
  readonly pipeline?: PipelineDependencies | undefined;
  readonly random?: (() => number) | undefined;
  /** Makes the trail, whose metrics are those of the process. */
  readonly makeTrail: (config: () => GatewayConfig, metrics: Metrics) => AuditTrail;
}

/** The entrances over HTTP; the routes of each are below its prefix. */
const ENTRANCES: readonly HttpEntrance[] = [scanEntrance, ...proxyEntrances, mcpEntrance];

/**
 * Makes what outlives reloads; limits and thresholds are read from what is in force.
 *
 * @throws Error when a certificate cannot be used
 */
export function createSurroundings(options: SurroundingsOptions, current: Current): Surroundings {
  const { config: first, file, env, keysFile, pipeline, clock, logger, shared } = options;
  const { primary, limiter, alerts, replays } = shared;
  const config = () => current.serving?.scanner.snapshot.config ?? first;
  const lag = monitorEventLoopDelay({ resolution: 20 });
  const metrics = createGatewayMetrics({
    hash: () => current.serving?.scanner.snapshot.hash ?? '',
    activeAlerts: alerts.active,
    isTaking: () => current.isTaking ?? false,
    loopLagSeconds: () => {
      const seconds = lag.percentile(99) / 1e9;
      lag.reset();
      return seconds;
    },
    databasePoolSize: () => trail.poolSize(),
    auditRowsWaiting: () => trail.waiting(),
    cacheHitRatio: () => caches.hitRatio(),
  });
  const key = openGatewayKey(file, env, logger);
  const caches = createCaches({ clock, logger, metrics: metrics.metrics, key });
  const trail = options.makeTrail(config, metrics.metrics);
  const knowledgeBases = createKnowledgeBases({ file, env, clock, logger, key });
  const keys = openKeyStore(keysFile, clock);
  const health = createGatewayHealth({
    activeAlerts: alerts.active,
    faultOfKeys: () => faultOfKeys(keys.state()),
    isServing: () => current.isTaking ?? false,
    ...{ database: trail, embeddings: knowledgeBases, cache: caches },
  });
  const probes = createProbes({
    clock,
    intervalSec: () => config().monitoring.health_check.check_interval_sec,
    probes: [trail.probe, caches.probe, knowledgeBases.probe],
  });
  const ids = createIds(clock);
  const recording = { clock, logger, metrics: metrics.metrics };
  const tls = loadTlsMaterial(first, clock.now());
  return {
    ...{ clock, logger, alerts, health, metrics, lag, env, pipeline, ids, trail, probes },
    ...{ primary, limiter },
    bodyBudget: options.bodyBudget ?? PROCESS_BODY_BUDGET,
    refusals: createRefusals(recording),
    failedAttempts: createFailedAttempts(recording),
    tracers: createTracers({ clock, logger, env }),
    certificates: tls && createCertificates(tls),
    upstream: createUpstream(options.upstream),
    modelLimits: createModelLimits(primary, () => config().models),
    mcpUpstream: createMcpUpstream(),
    refusedTools: createRefusedTools(primary),
    responseOwners: createResponseOwners(primary),
    idempotency: createGatewayIdempotency(clock, primary, key),
    end: new AbortController(),
    latest: () => servingOf(current).scanner,
    ...{ key, caches, knowledgeBases },
    modelBackends: createModelBackends(env, logger),
    audit: createAuditRecorder({ sink: trail.sink, clock, ids, random: options.random }),
    keys,
    signatures: createSignatures(clock, () => config().security.signing_key ?? '', replays),
  };
}

/** What a configuration is served with. */
export interface ServingParts {
  /** Null where reloads over HTTP are not enabled. */
  readonly reloader: Pick<Reloader, 'reload'> | null;
  /** What the platform decides. */
  readonly platform: PlatformRules;
  /** Counts a scan for the platform. */
  readonly countScan?: (() => void) | undefined;
}

/**
 * Makes everything that serves under a configuration.
 *
 * @throws Error when the knowledge base cannot be read, or a certificate cannot be used
 * @throws PipelineConfigError naming an option at fault
 */
export function makeServing(
  config: GatewayConfig,
  surroundings: Surroundings,
  { reloader, platform, countScan }: ServingParts,
): Serving {
  const { clock, env, pipeline, metrics, key, caches, knowledgeBases, tracers } = surroundings;
  const { modelBackends } = surroundings;
  const { PROBITY_GATEWAY_KNOWLEDGE_FILE: knowledgeFile } = env;
  const known = knowledgeFile ? readKnowledgeFile(knowledgeFile) : [];
  const knowledge = [...known, ...toKnownClaims(platform)];
  const backends = modelBackends.of(config);
  const parts = backends ? { ...backends.dependencies, ...pipeline } : pipeline;
  const snapshot = createSnapshot(config, { now: clock.now(), platform, pipeline: parts });
  const personal = createPersonalData(config, key);
  let cache: CountedCache | null = null;
  let vectors: VectorKnowledge | null = null;
  const revision = `${readVersion()} ${snapshot.hash} ${revisionOf(knowledge)}`;
  const informed = (each: Pipeline) => (vectors ? withKnowledge(each, vectors) : each);
  const cached = (each: Pipeline, span?: TraceSpan) => {
    const own = informed(each);
    if (cache === null) return own;
    const shown = withCacheSpans(cache, span);
    return withScanCache(own, { cache: shown, revision, hashKey: key.derive('cache') });
  };
  let spans: Tracing | null = null;
  // Its libraries are loaded when the configuration is opened, and only where it traces.
  const tracing: Tracing | null = config.observability.tracing_enabled
    ? { start: (...given) => spans?.start(...given) }
    : null;
  const reporting = {
    ...surroundings,
    metrics: metrics.metrics,
    personal,
    informed,
    cached,
    countScan,
    tracing,
  };
  const scanner = createGatewayScanner(snapshot, reporting);
  const eraseUser = isAuditing(config) ? createUserErasure(snapshot, personal, surroundings) : null;
  const handler = createGatewayApplication({
    ...surroundings,
    ...{ entrances: ENTRANCES, scanner, reloader, reporting, eraseUser },
    ending: surroundings.end.signal,
  });
  const open = async () => {
    await backends?.load();
    spans = await tracers.open(config);
    cache = await caches.open(config);
    vectors = await knowledgeBases.open(config, knowledge, cache);
  };
  const use = () => {
    tracers.use(spans);
    caches.use(config);
    knowledgeBases.use(vectors);
    modelBackends.use(config);
  };
  return { scanner, handler, tls: loadTlsMaterial(config, clock.now()), open, use };
}

/** Names a knowledge base by all that it says. */
function revisionOf(knowledge: readonly KnownClaim[]): string {
  return createHash('sha256').update(JSON.stringify(knowledge)).digest('hex');
}

/** What is in force. */
export function servingOf({ serving }: Current): Serving {
  if (serving === null) throw new Error('the gateway has no configuration yet');
  return serving;
}
