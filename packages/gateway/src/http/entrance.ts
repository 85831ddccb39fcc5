import type { Logger } from '@probity/core';
import type { Endpoint, ErrorFormat } from '@probity/core/koa';
import type { KeyStore } from '../api-keys/key-store.ts';
import type { ModelLimits } from '../limits/model-limits.ts';
import type { RefusedTools } from '../mcp/refused-tools.ts';
import type { McpUpstream } from '../mcp/upstream.ts';
import type { FailedAttempts } from '../proxy/failed-attempts.ts';
import type { ResponseOwners } from '../proxy/response-owners.ts';
import type { Upstream } from '../proxy/upstream.ts';
import type { ScannerOptions } from '../scanner/report.ts';
import type { GatewayScanner } from '../scanner/scanner.ts';

/** What an entrance over HTTP is made with. */
export interface EntranceParts {
  /** Scans under the snapshot that the request began with. */
  readonly scanner: GatewayScanner;
  readonly keys: KeyStore;
  /** Where scans are counted and logged. */
  readonly reporting: ScannerOptions;
  readonly logger: Logger;
  /** The connections to providers of models. */
  readonly upstream: Upstream;
  /** Calls MCP servers. */
  readonly mcpUpstream: McpUpstream;
  readonly refusedTools: RefusedTools;
  readonly responseOwners: ResponseOwners;
  /** What is in force, for streams that outlast a reload. */
  readonly latest: () => GatewayScanner;
  /** Aborted when the gateway ends: streams that would go on for ever end then. */
  readonly ending: AbortSignal;
  readonly modelLimits: ModelLimits;
  readonly failedAttempts: FailedAttempts;
}

/**
 * A part of the HTTP interface: endpoints below a prefix. Made once for each snapshot; further entrances
 * add theirs to the table.
 */
export interface HttpEntrance {
  /** Such as `/api/v1`. */
  readonly prefix: string;
  /** Whether requests need a signature where the configuration has a key for it; an API key otherwise. */
  readonly isSigned: boolean;
  /** Whether a request with an Idempotency-Key is answered once; otherwise the header is ignored. */
  readonly isRepeatable?: boolean;
  /** The form of errors; default: the general one. */
  errorFormat?(general: ErrorFormat): ErrorFormat;
  endpoints(parts: EntranceParts): readonly Endpoint[];
}
