import { validationError } from '@probity/core';
import type { GatewayScanRequest } from '../scanner/scanner.ts';
import type { GatewayStreamRequest } from '../scanner/text-stream.ts';
import type { ScanOrigin } from '../snapshot/allowlists.ts';
import type { GrpcCaller } from './callers.ts';
import type { WireClient, WireOpen, WireScanRequest } from './wire-types.ts';

const MAX_ENTRIES = 16;
const MAX_ENTRY_BYTES = 256;
/** Ids are in logs and records: no text of a person fits them. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{0,128}$/;

/** Whether an id of a caller may be in logs and records. */
export function isRequestId(text: string): boolean {
  return text !== '' && REQUEST_ID.test(text);
}

/**
 * What a message asks for.
 *
 * @throws ProbityError `validation_failed` naming every field at fault
 */
export function toScanRequest(wire: WireScanRequest, caller: GrpcCaller): GatewayScanRequest {
  const faults = [...requestIdFaults(wire.request_id), ...metadataFaults(wire.metadata)];
  if (wire.prompt === '' && wire.response === '') {
    faults.push({ field: 'response', message: 'prompt or response is needed' });
  }
  if (faults.length > 0) throw validationError(...faults);
  return {
    content: {
      prompt: wire.prompt === '' ? undefined : wire.prompt,
      response: wire.response,
      context: wire.context.length === 0 ? undefined : wire.context,
      policyIds: wire.policy_id === '' ? undefined : [wire.policy_id],
      redaction: wire.redact ? 'placeholder' : undefined,
      metadata: wire.metadata,
    },
    stages: wire.stages,
    origin: originOf(wire.client, caller),
  };
}

/** @throws ProbityError `validation_failed` naming the field at fault */
export function toStreamRequest(wire: WireOpen, caller: GrpcCaller): GatewayStreamRequest {
  const faults = requestIdFaults(wire.request_id);
  if (wire.request_id === '') faults.push({ field: 'request_id', message: 'must not be empty' });
  if (wire.target === 'TARGET_CONTEXT') {
    faults.push({ field: 'target', message: 'must be TARGET_RESPONSE or TARGET_PROMPT' });
  }
  if (faults.length > 0) throw validationError(...faults);
  return {
    prompt: wire.prompt,
    context: wire.context,
    ...(wire.policy_id === '' ? {} : { policyIds: [wire.policy_id] }),
    origin: originOf(wire.client, caller),
    isRedacting: wire.redact,
    holdBack: wire.holdback_bytes,
  };
}

function requestIdFaults(requestId: string) {
  if (REQUEST_ID.test(requestId)) return [];
  const message = 'must be at most 128 letters, digits, and . _ : -';
  return [{ field: 'request_id', message }];
}

function metadataFaults(metadata: Readonly<Record<string, string>>) {
  const entries = Object.entries(metadata);
  const faults =
    entries.length > MAX_ENTRIES
      ? [{ field: 'metadata', message: `has more than ${MAX_ENTRIES} entries` }]
      : [];
  for (const [name, value] of entries) {
    if (Buffer.byteLength(name) + Buffer.byteLength(value) <= MAX_ENTRY_BYTES) continue;
    const message = `has more than ${MAX_ENTRY_BYTES} bytes`;
    faults.push({ field: `metadata.${name.slice(0, 40)}`, message });
  }
  return faults;
}

function originOf(
  client: WireClient | null,
  { address, keyUsers, keyDomains }: GrpcCaller,
): ScanOrigin {
  return {
    ...{ address, keyUsers, keyDomains },
    ...(client?.user_id ? { userId: client.user_id } : {}),
    ...(client?.source_domain ? { sourceDomain: client.source_domain } : {}),
  };
}
