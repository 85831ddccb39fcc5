import type { ServerConfig } from './config.ts';

/** The base address before anything is bound, for commands that run beside the server. */
export function configuredBaseUrl({ publicUrl, host, port }: ServerConfig): string {
  return publicUrl ?? toReachable(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

/** An address that a browser on this machine can open. */
export function toReachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
