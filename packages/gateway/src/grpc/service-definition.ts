import { fileURLToPath } from 'node:url';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import type { PackageDefinition } from '@grpc/proto-loader';
import { loadSync } from '@grpc/proto-loader';

/** The full name of the service. */
export const SCAN_SERVICE = 'governance.gateway.v1.ScanService';

/** Loads proto/scan.proto. */
export function loadScanProto(): PackageDefinition {
  const file = fileURLToPath(new URL('../../../proto/scan.proto', import.meta.url));
  return loadSync(file, {
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
    arrays: true,
    objects: true,
    oneofs: true,
  });
}

/** The service of scans. */
export function scanServiceOf(loaded: PackageDefinition): ServiceDefinition {
  return keepingBytes(loaded[SCAN_SERVICE] as ServiceDefinition);
}

/** A service whose requests are handed on with the bytes that they came in. */
export function keepingBytes(methods: ServiceDefinition): ServiceDefinition {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, withBytes(method)]),
  );
}

function withBytes<Request, Response>(method: MethodDefinition<Request, Response>) {
  const { requestDeserialize: parse } = method;
  return {
    ...method,
    requestDeserialize: (bytes: Buffer) => ({ message: parse(bytes), bytes }) as never,
  };
}
