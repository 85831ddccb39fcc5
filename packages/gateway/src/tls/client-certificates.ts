import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { RequestHandler, ServerTls } from '@probity/core/koa';
import type { Certificates } from './certificates.ts';

/**
 * TLS of an HTTP listener that demands client certificates.
 *
 * @param isOpenToLoopback whether connections of this machine come in without one, for `onlyProbes`
 */
export function demandCertificates(
  certificates: Certificates,
  isOpenToLoopback: boolean,
): ServerTls {
  return {
    context: certificates.current(),
    admits(socket) {
      if (socket.authorized) return true;
      const hasNone = Object.keys(socket.getPeerCertificate() ?? {}).length === 0;
      return isOpenToLoopback && hasNone && isLoopback(socket.remoteAddress);
    },
  };
}

/** Serves connections without a certificate the path of the probe alone. */
export function onlyProbes(handler: RequestHandler, path: () => string): RequestHandler {
  return (request, response) => {
    const isProbe = request.method === 'GET' && request.url?.split('?')[0] === path();
    if (isAuthorized(request) || isProbe) return handler(request, response);
    return request.socket.destroy();
  };
}

function isAuthorized({ socket }: IncomingMessage): boolean {
  return (socket as TLSSocket).authorized === true;
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
