import type { ServerResponse } from 'node:http';
import { ProbityError } from '../errors.ts';
import { generalErrors } from '../http/error-format.ts';
import { createTraffic } from '../http/traffic.ts';
import { createIds } from '../ids.ts';
import { createLogger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';
import type { Tenants } from '../tenants/tenants.ts';
import { checkOptions } from './check-options.ts';
import type { CapabilityDefinition, ServicesOf } from './definition.ts';
import type { HostHandlers, KoaMiddleware, NodeHandler } from './handlers.ts';
import type { KeyRotation } from './key-rotation.ts';
import { nameMissing } from './missing-package.ts';
import type { OpenedProbity } from './opened.ts';
import type { ProbityOptions } from './options.ts';

/** Probity in a host's application. */
export interface Probity<Definitions extends readonly CapabilityDefinition[]> {
  /**
   * Brings the tables up to date; concurrent processes wait for each other.
   * @returns the names of the migrations that this call applied
   */
  migrate(): Promise<string[]>;
  /**
   * Opens the database and creates the services. Handlers, `migrate` and `start` do so by themselves.
   * @throws Error that says what is missing: a package, the tables, or an encryption key
   */
  ready(): Promise<void>;
  /**
   * Seals every secret anew while processes run, for a key file under a key made for it, else under the first of several
   * keys in `encryptionKey`. It may be interrupted and called again. Needs the tables, and a SQL database.
   * @throws ProbityError `conflict` when no key opens a secret
   */
  rotateKeys(): Promise<KeyRotation>;
  /** Starts background work, such as deliveries and retention. */
  start(): Promise<void>;
  /**
   * Answers further requests with 503, waits up to 30 s for those in progress, ends background work, and closes
   * connections of its own. Close the host's server first, so that it accepts no more of them.
   */
  stop(): Promise<void>;
  /** Handles requests of Express, Connect, middie and node:http. */
  readonly node: NodeHandler;
  /** Middleware for Koa and for routers of @koa/router. */
  koa(): KoaMiddleware;
  /** Answers a request of the Fetch API: Next.js, Hono and others. */
  fetch(request: Request): Promise<Response>;
  /**
   * The services by capability, for calls in code; see `contextOf`.
   * @throws Error before `migrate`, `start` or `ready` has resolved
   */
  readonly services: ServicesOf<Definitions>;
  /** The OpenAPI 3.1 document of the endpoints. @throws Error as `services` */
  openapi(): object;
  /** The database. @throws Error as `services` */
  readonly database: Database;
  /**
   * The host's organizations as Probity knows them: `tenants.remove(id)` deletes everything of one.
   * @throws Error as `services`
   */
  readonly tenants: Tenants;
}

/**
 * Creates Probity for an application of its own: services, HTTP handlers and background work of the
 * given capabilities on one database. Nothing is opened yet.
 *
 * @throws TypeError that names the option at fault
 * @example
 * const probity = createProbity({
 *   database: 'sqlite:./app.db',
 *   authenticate: (request) => ({ organizationId: 'acme', memberId: 'ann', role: 'admin' }),
 *   capabilities: [governance()],
 * });
 * await probity.migrate();
 * app.use('/probity', probity.node);
 * await probity.start();
 */
export function createProbity<const Definitions extends readonly CapabilityDefinition[]>(
  options: ProbityOptions<Definitions>,
): Probity<Definitions> {
  checkOptions(options);
  const logger =
    options.logger ??
    createLogger({ level: 'warn', write: (line) => void process.stderr.write(line) });
  const traffic = createTraffic();
  let isStopped = false;
  let opened: OpenedProbity<Definitions> | undefined;
  // Loaded here, since it reaches HTTP and SQL.
  const opening = once(async () =>
    (await import('./opening.ts')).createOpening<Definitions>({ ...options, logger, traffic }),
  );

  function requireRunning(): void {
    if (isStopped) throw new Error('Probity was stopped; create another one.');
  }

  async function open(): Promise<OpenedProbity<Definitions>> {
    if (opened) return opened;
    if (isStopped) throw new ProbityError('unavailable', 'The service was stopped.');
    opened = await (await opening()).open();
    return opened;
  }

  function requireOpen(): OpenedProbity<Definitions> {
    if (opened) return opened;
    throw new Error('Probity is not open yet: await probity.migrate(), start() or ready() first.');
  }

  async function handlers(): Promise<HostHandlers> {
    return (await open()).handlers();
  }

  const node: NodeHandler = (request, response, next) => {
    if (!response) throw new TypeError('probity.node is the handler: pass it without calling it.');
    handlers().then(
      (each) => each.node(request, response, next),
      (error: unknown) => refuse(response, toFailure(error)),
    );
  };

  const koa: KoaMiddleware = async (ctx, next) => {
    const each = await handlers().catch(toFailure);
    if (!(each instanceof ProbityError)) return each.koa(ctx, next);
    const context = ctx as { readonly res: ServerResponse; respond?: boolean };
    context.respond = false;
    refuse(context.res, each);
  };

  /** A request that arrives while Probity stops has met no fault. */
  function toFailure(error: unknown): ProbityError {
    if (isStopped) return new ProbityError('unavailable', 'The service was stopped.');
    logger.error('Probity cannot serve requests', { error });
    return new ProbityError('internal');
  }

  return {
    async migrate() {
      requireRunning();
      const applied = await (await opening()).migrate();
      await open();
      return applied;
    },
    async ready() {
      requireRunning();
      await open();
    },
    async rotateKeys() {
      requireRunning();
      return (await open()).rotateKeys();
    },
    async start() {
      requireRunning();
      await (await open()).lifecycle.start();
    },
    async stop() {
      isStopped = true;
      await traffic.drain(DRAIN_TIMEOUT_MS);
      await (await opening()).close();
    },
    node,
    koa: () => koa,
    fetch: async (request) => {
      const { answerFetch } = await loadFetch();
      return answerFetch(node, request);
    },
    get services() {
      return requireOpen().services;
    },
    openapi: () => requireOpen().openapi(),
    get database() {
      return requireOpen().database;
    },
    get tenants() {
      return requireOpen().tenants;
    },
  };
}

function loadFetch() {
  return import('../http/fetch.ts').catch((cause: unknown) => {
    throw nameMissing(cause, 'light-my-request', 'probity.fetch');
  });
}

/** A client that reads slowly is cut off then, as by the server of Probity. */
const DRAIN_TIMEOUT_MS = 30_000;

/** Answers in the format of the general API, where there is no router yet. */
function refuse(response: ServerResponse, error: ProbityError): void {
  const requestId = createIds().next('req');
  response.statusCode = generalErrors.status(error);
  response.setHeader('Content-Type', generalErrors.contentType);
  response.end(JSON.stringify(generalErrors.body(error, requestId)));
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
