import type { ScanRequest } from '@probity/governance';
import { scanEndpoint } from '@probity/governance/koa';
import type { ScanOrigin } from '../snapshot/allowlists.ts';
import type { EntranceParts, HttpEntrance } from './entrance.ts';

/** `POST /api/v1/governance/scan`: schemas and mapping are those of the server. */
export const scanEntrance: HttpEntrance = {
  prefix: '/api/v1',
  isSigned: true,
  isRepeatable: true,
  endpoints({ scanner, keys }: EntranceParts) {
    const { server, rate_limiting } = scanner.snapshot.config;
    const options = {
      bodyLimit: server.max_payload_size,
      rateLimit: rate_limiting.enabled ? 'general' : 'none',
    } as const;
    const scans = {
      async scan(context: Parameters<typeof scanner.scan>[0], request: ScanRequest) {
        const { users = [], domains = [] } = keys.named(context.principal.keyId) ?? {};
        const key = { keyUsers: users, keyDomains: domains };
        const origin = { ...originOf(request), ...key, address: context.address };
        const { decided } = await scanner.scan(context, { content: request, origin });
        const { scan, stages, skipped, redacted, redactionMap } = decided;
        return { scan, stages, skipped, redacted, redactionMap, alert: null };
      },
    };
    return [scanEndpoint(scans, options)];
  },
};

/** The tags `user_id` and `source_domain` of a scan say for whom it is. */
function originOf({ metadata }: ScanRequest): Pick<ScanOrigin, 'userId' | 'sourceDomain'> {
  const { user_id: userId, source_domain: sourceDomain } = metadata ?? {};
  return {
    userId: typeof userId === 'string' ? userId : undefined,
    sourceDomain: typeof sourceDomain === 'string' ? sourceDomain : undefined,
  };
}
