import type { Logger } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import type { KeyStore } from '../api-keys/key-store.ts';
import type { McpUpstream } from '../mcp/upstream.ts';
import type { GatewayScanner } from '../scanner/scanner.ts';

/** What an entrance over HTTP is made with. */
export interface EntranceParts {
  /** Scans under the snapshot that the request began with. */
  readonly scanner: GatewayScanner;
  readonly keys: KeyStore;
  readonly logger: Logger;
  readonly upstream: McpUpstream;
  /** What is in force, for streams that outlast a reload. */
  readonly latest: () => GatewayScanner;
  /** Aborted when the gateway ends: streams that would go on for ever end then. */
  readonly ending: AbortSignal;
}

/**
 * A part of the HTTP interface: endpoints below a prefix. Made once for each snapshot; further entrances
 * add theirs to the table.
 */
export interface HttpEntrance {
  /** Such as `/api/v1`. */
  readonly prefix: string;
  endpoints(parts: EntranceParts): readonly Endpoint[];
}
