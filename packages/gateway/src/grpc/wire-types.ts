import type { CallMemory } from './call-memory.ts';

/** The messages of proto/scan.proto as the loader makes them: names as there, numbers for 64 bits. */
export interface WireClient {
  readonly user_id: string;
  readonly source_domain: string;
  readonly session_id: string;
}

/** `ScanRequest`. */
export interface WireScanRequest {
  readonly request_id: string;
  readonly prompt: string;
  readonly response: string;
  readonly context: readonly string[];
  readonly client: WireClient | null;
  readonly policy_id: string;
  readonly stages: readonly string[];
  readonly redact: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** `StreamOpen`. */
export interface WireOpen {
  readonly request_id: string;
  readonly prompt: string;
  readonly context: readonly string[];
  readonly client: WireClient | null;
  readonly policy_id: string;
  readonly target: string;
  readonly redact: boolean;
  readonly holdback_bytes: number;
}

/** `ScanStreamRequest`: the member that is set. */
export interface WireStreamRequest {
  readonly open?: WireOpen;
  readonly chunk?: {
    readonly request_id: string;
    readonly sequence: number;
    readonly text: string;
  };
  readonly close?: { readonly request_id: string };
  readonly scan?: WireScanRequest;
}

/** `ScanStreamResponse`. */
export interface WireStreamResponse {
  readonly request_id: string;
  readonly release?: object;
  readonly finding?: object;
  readonly final?: object;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A message with the bytes that it came in, for its signature. */
export interface Arrived<Message> {
  readonly message: Message;
  readonly bytes: Buffer;
}

/** A message that occupies memory until its handler gives it back, or its call ends. */
export interface Received<Message> extends Arrived<Message> {
  /** Bytes that it occupies. */
  readonly size: number;
  readonly memory: Pick<CallMemory, 'give'>;
}
