import type { GatewayConfig } from '../config/read-config.ts';

/** Names a serving process for its lifetime; a replaced one has another number. */
export type WorkerId = number;

/** Something that is built for a new configuration and not in force yet. */
export interface PreparedPart {
  /** Puts it in force; must not fail. */
  commit(): void | Promise<void>;
  /** Gives it up; must not fail. */
  discard(): void;
}

/**
 * What the serving processes of a gateway share: state that lives once, in the primary process. With
 * `server.workers: 1` the same part lives in the serving process. Requests and messages are data that can be
 * cloned (`structuredClone`), since they may come from another process.
 */
export interface PrimaryPart {
  /** What workers address it by. */
  readonly name: string;
  /** The gateway serves, and what the part does by itself begins: one that cannot be made or started leaves nothing behind. */
  start?(): void;
  /**
   * Answers a request of a worker. An error reaches the worker as a ProbityError of the same kind, or as an Error
   * with the same message.
   */
  answer?(request: unknown, worker: WorkerId): unknown;
  /** Takes a message of a worker, which gets no answer. */
  take?(message: unknown, worker: WorkerId): void;
  /** A worker has ended; nothing more comes from it. */
  leave?(worker: WorkerId): void;
  /**
   * First phase of a reload: builds what the part needs for the configuration. A rejection leaves the
   * configuration in force as it is, in all processes.
   */
  prepare?(config: GatewayConfig): Promise<PreparedPart> | PreparedPart;
  /** The gateway ends; all workers have ended before. */
  close?(): Promise<void> | void;
}

/** The primary, as a serving process sees it. */
export interface Primary {
  /** Asks a part; rejects when the primary is gone. */
  call<Answer>(part: string, request: unknown): Promise<Answer>;
  /** Sends a message to a part, in the order of the calls. */
  tell(part: string, message: unknown): void;
  /** Takes what the part of the same name sends to the workers; a value is its answer. */
  handle(part: string, take: (message: unknown) => unknown): void;
}

/** The serving processes, as a part of the primary sees them. */
export interface Workers {
  /** Asks all of them; each promise rejects when its worker refuses, ends, or does not answer in time. */
  ask<Answer>(
    part: string,
    request: unknown,
    timeoutMs: number,
  ): ReadonlyMap<WorkerId, Promise<Answer>>;
  /** Sends a message to all of them. */
  tell(part: string, message: unknown): void;
}

/** Creates the parts of a gateway; called once, in the process that is the primary. */
export type MakeParts = (workers: Workers) => readonly PrimaryPart[];
