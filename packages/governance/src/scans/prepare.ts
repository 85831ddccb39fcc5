import type { CallContext, Runtime } from '@probity/core';
import type { PreparedScan, ScanOptions } from './conclude.ts';
import { beginScan, concludeScan } from './conclude.ts';
import { scanContent, toContent } from './content.ts';
import type { ScanRequest } from './types.ts';

/**
 * Scans content and decides by policy, without storing anything.
 * @throws what {@link Scans.scan} throws
 */
export type PrepareScan = (context: CallContext, request: ScanRequest) => Promise<PreparedScan>;

/** Creates what scans and decides. Unfinished stages are logged as warnings, without text. */
export function createPrepareScan(runtime: Runtime, options: ScanOptions): PrepareScan {
  return async (context, request) => {
    const begun = await beginScan(runtime, options, context, request);
    const content = toContent(request);
    const { signal } = context;
    const scanned = await scanContent(content, begun.scan, signal ? { signal } : {});
    const judgment = scanned.judge(begun.chosen, begun.redaction.redactor);
    return concludeScan(runtime, options, begun, { content, scanned, judgment });
  };
}
