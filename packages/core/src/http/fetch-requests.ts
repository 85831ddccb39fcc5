import type { IncomingMessage } from 'node:http';

const fetchRequests = new WeakMap<IncomingMessage, Request>();

/** Stores the request of the Fetch API that a request of Node stands for. */
export function rememberFetchRequest(incoming: IncomingMessage, request: Request): void {
  fetchRequests.set(incoming, request);
}

/** The request of the Fetch API that a request of Node stands for, as a member to spread. */
export function fetchRequestOf(incoming: IncomingMessage): { readonly request?: Request } {
  const request = fetchRequests.get(incoming);
  return request ? { request } : {};
}
