import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { parseEncryptionKeys } from '../crypto/secret-box.ts';
import type { HostHandlers, NodeHandler } from '../http/host.ts';
import { createLogger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';
import type { CapabilityDefinition, ServicesOf } from './definition.ts';
import { nameMissing } from './open-database.ts';
import type { OpenedProbity } from './opening.ts';
import { createOpening } from './opening.ts';
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
  /** Starts background work, such as deliveries and retention. */
  start(): Promise<void>;
  /** Ends background work, waits for what is in progress, and closes connections of its own. */
  stop(): Promise<void>;
  /** Handles requests of Express, Connect, middie and node:http. */
  readonly node: NodeHandler;
  /** Middleware for Koa and for routers of @koa/router. */
  koa(): Middleware;
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
}

/**
 * Creates Probity for an application of its own: services, HTTP handlers and background work of the
 * given capabilities on one database. Nothing is opened yet.
 *
 * @throws TypeError for options of the wrong form
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
  const opening = createOpening<Definitions>({ ...options, logger });
  const handlers = (): Promise<HostHandlers> => opening.open().then((opened) => opened.handlers());

  const node: NodeHandler = (request, response, next) => {
    handlers().then(
      (opened) => opened.node(request, response, next),
      (error: unknown) => fail(error, response, next),
    );
  };

  function fail(error: unknown, response: ServerResponse, next?: (error?: unknown) => void): void {
    logger.error('Probity cannot serve requests', { error });
    if (next) next(error);
    else {
      response.statusCode = 500;
      response.end();
    }
  }

  return {
    migrate: () => opening.migrate(),
    ready: async () => void (await opening.open()),
    start: async () => (await opening.open()).lifecycle.start(),
    stop: () => opening.close(),
    node,
    koa: () => async (ctx, next) => (await handlers()).koa(ctx, next),
    fetch: async (request) => {
      const { answerFetch } = await loadFetch();
      return answerFetch((await handlers()).node, request);
    },
    get services() {
      return opened(opening.opened).services;
    },
    openapi: () => opened(opening.opened).openapi(),
    get database() {
      return opened(opening.opened).database;
    },
  };
}

function loadFetch() {
  return import('../http/fetch.ts').catch((cause: unknown) => {
    throw nameMissing(cause, 'light-my-request', 'probity.fetch');
  });
}

function opened<Definitions extends readonly CapabilityDefinition[]>(
  state: OpenedProbity<Definitions> | undefined,
): OpenedProbity<Definitions> {
  if (state) return state;
  throw new Error('Probity is not open yet: await probity.migrate(), start() or ready() first.');
}

function checkOptions(options: ProbityOptions<readonly CapabilityDefinition[]>): void {
  const { database, authenticate, capabilities, mount, encryptionKey } = options ?? {};
  if (!database) throw new TypeError('createProbity: database is missing, for instance "memory".');
  if (typeof authenticate !== 'function') {
    throw new TypeError('createProbity: authenticate must be a function of a request.');
  }
  if (!Array.isArray(capabilities) || capabilities.length === 0) {
    throw new TypeError('createProbity: capabilities must be a list such as [governance()].');
  }
  const names = capabilities.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated) throw new TypeError(`createProbity: capabilities has ${repeated} twice.`);
  if (mount !== undefined && !/^(?:\/[^/?#]+)+$/.test(mount)) {
    throw new TypeError(`createProbity: mount must be a path such as /probity, not "${mount}".`);
  }
  if (encryptionKey !== undefined) parseEncryptionKeys(encryptionKey);
}
