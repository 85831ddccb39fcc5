import type { Clock } from '../clock.ts';
import type { Authenticate } from '../http/authentication.ts';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../metrics.ts';
import type { RateLimitOptions } from '../rate-limit/rate-limit.ts';
import type { RetentionPreset } from '../retention/presets.ts';
import type { DatabaseOption } from './database-option.ts';
import type { CapabilityDefinition } from './definition.ts';

/** Options of {@link createProbity}. */
export interface ProbityOptions<Definitions extends readonly CapabilityDefinition[]> {
  /** See {@link DatabaseOption}. */
  readonly database: DatabaseOption;
  /** Identifies the caller of a request among the host's users; null is answered with 401. */
  readonly authenticate: Authenticate;
  /** What is served, such as `governance()` and `webhooks()`. */
  readonly capabilities: Definitions;
  /**
   * The path that the handlers are mounted at. When given, only paths below it are served; default:
   * `/probity`, and paths without it too, as frameworks that remove the mount leave them.
   */
  readonly mount?: string | undefined;
  /**
   * Key of 32 bytes in base64 that seals stored secrets, or several separated by commas, the first
   * of which seals. Default: PROBITY_ENCRYPTION_KEY, else a file that is created: `<database>.key`
   * beside a SQLite file, `probity.key` in the working directory otherwise.
   */
  readonly encryptionKey?: string | undefined;
  /**
   * The public URL of the server: the base of absolute URLs in documents, and the origin whose pages
   * may change something by cookie, besides that of the Host header. Default for documents:
   * `http://localhost:3000`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Whether `/docs`, `/openapi.json` and the index of the mount are served, to everyone; default true. With false
   * these paths go on to the host, and `probity.openapi()` still returns the document.
   */
  readonly docs?: boolean | undefined;
  /** Default: warnings and errors on standard error, as JSON Lines. */
  readonly logger?: Logger | undefined;
  /** Default: none. */
  readonly metrics?: Metrics | undefined;
  /** Default: the specification's limits, counted in this process. */
  readonly rateLimits?: RateLimitOptions | undefined;
  /**
   * Networks of proxies whose X-Forwarded-For and X-Forwarded-Host are trusted:
   * `10.0.0.0/8, ::1/128`; default none.
   */
  readonly trustedProxies?: string | undefined;
  /**
   * Terms of retention: `standard` (the default), or `eu-ai-act`, which keeps audit logs, scans, resolved alerts and evidence for 184
   * days at least.
   */
  readonly retention?: RetentionPreset | undefined;
  /** Default: the system clocks. */
  readonly clock?: Clock | undefined;
}
