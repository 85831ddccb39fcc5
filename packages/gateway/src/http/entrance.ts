import type { Endpoint } from '@probity/core/koa';
import type { KeyStore } from '../api-keys/key-store.ts';
import type { GatewayScanner } from '../scanner/scanner.ts';

/** What an entrance over HTTP is made with. */
export interface EntranceParts {
  /** Scans under the snapshot that the request began with. */
  readonly scanner: GatewayScanner;
  readonly keys: KeyStore;
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
