import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger, Metrics } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { PreparedPart } from '../cluster/part.ts';
import type { Issue } from '../config/issues.ts';
import { formatIssue } from '../config/issues.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import { hashConfig, readConfig } from '../config/read-config.ts';
import type { Environment } from '../config/substitution.ts';
import { METRICS } from '../metrics/definitions.ts';
import { readConfigFile } from '../program/read-file.ts';
import { diffConfigs } from './config-diff.ts';

/** What a reload did. */
export interface ReloadResult {
  readonly hash: string;
  readonly previousHash: string;
  readonly changed: readonly string[];
  readonly restartRequired: readonly string[];
  readonly warnings: readonly string[];
}

/** Reloads the configuration. */
export interface Reloader {
  /**
   * Reads and checks the file, builds everything that it configures, and only then puts it in force. Any
   * failure leaves the configuration as it is.
   *
   * @throws ProbityError `conflict` while another reload runs; `validation_failed` with the errors of the
   *   file, or with what could not be built
   */
  reload(by?: ReloadedBy): Promise<ReloadResult>;
  /**
   * Builds the configuration in force again, with what else it is made of, and puts that in force.
   *
   * @throws ProbityError `conflict` while a reload runs
   * @throws Error when it cannot be built; what is in force stays
   */
  rebuild(): Promise<void>;
}

/** Who has asked for a reload; nobody is named of a signal. */
export interface ReloadedBy {
  /** Name of the API key. */
  readonly actor?: string;
  readonly requestId?: string;
  readonly address?: string | null;
}

/** Dependencies of a reloader. */
export interface ReloaderOptions {
  readonly file: string;
  readonly env: Environment;
  /** The configuration in force. */
  readonly current: () => { readonly config: GatewayConfig; readonly hash: string };
  /** Builds a configuration, in all processes. */
  readonly prepare: (config: GatewayConfig) => Promise<PreparedPart>;
  /** Called when a configuration has come in force, before the answer; resolves with a warning, or null. */
  readonly onReloaded?: (result: ReloadResult, by: ReloadedBy) => Promise<string | null>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long size and time of the file must stay: it may be half written. */
const STABLE_MS = 50;

/** Creates a reloader. */
export function createReloader(options: ReloaderOptions): Reloader {
  const { logger, metrics } = options;
  let isBusy = false;
  const alone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isBusy) throw new ProbityError('conflict', 'Another reload is in progress.');
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  };
  return {
    rebuild: () => alone(async () => (await options.prepare(options.current().config)).commit()),
    reload: (by = {}) =>
      alone(async () => {
        try {
          const result = await reloadOnce(options);
          metrics.count(METRICS.reloads, { result: 'reloaded' });
          const { hash, changed, restartRequired } = result;
          const fields = { config_hash: hash, changed, restart_required: restartRequired };
          logger.info('the configuration was reloaded', fields);
          const unrecorded = (await options.onReloaded?.(result, by)) ?? null;
          const warnings = [...result.warnings, ...(unrecorded === null ? [] : [unrecorded])];
          for (const warning of warnings) logger.warn(warning);
          return { ...result, warnings };
        } catch (error) {
          metrics.count(METRICS.reloads, { result: 'failed' });
          const message = error instanceof Error ? error.message : String(error);
          logger.error('the configuration was not reloaded; the one before stays', {
            error: message,
          });
          throw error;
        }
      }),
  };
}

async function reloadOnce(options: ReloaderOptions): Promise<ReloadResult> {
  const { file, env, current, prepare } = options;
  await waitUntilStable(file);
  const { config: after, issues } = await readConfig(readBytes(file), env, dirname(file));
  if (after === undefined) throw invalid(issues);
  const { config: before, hash: previousHash } = current();
  const { config, changed, restartRequired } = diffConfigs(before, after);
  const prepared = await prepare(config).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw refused([{ field: '', message, line: 0 }], message);
  });
  await prepared.commit();
  const warnings = issues.map((issue) => formatIssue(file, issue));
  return { hash: hashConfig(config), previousHash, changed, restartRequired, warnings };
}

function readBytes(file: string): Uint8Array {
  try {
    return readConfigFile(file);
  } catch (error) {
    const { message } = error as Error;
    throw refused([{ field: '', message, line: 0 }], message);
  }
}

async function waitUntilStable(file: string): Promise<void> {
  const look = async () => {
    const stats = await stat(file).catch(() => undefined);
    return stats ? `${stats.size} ${stats.mtimeMs}` : 'missing';
  };
  for (let tries = 0, before = await look(); tries < 20; tries++) {
    await wait(STABLE_MS);
    const now = await look();
    if (now === before) return;
    before = now;
  }
}

function invalid(issues: readonly Issue[]): ProbityError {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const details = errors.map(({ path, message, line }) => ({ field: path, message, line }));
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return refused(details, `line ${first?.line}: ${first?.path}: ${first?.message}${more}`);
}

interface ReloadFault {
  readonly field: string;
  readonly message: string;
  /** Line of the file; 0 where none is at fault. */
  readonly line: number;
}

function refused(details: readonly ReloadFault[], message: string): ProbityError {
  return new ProbityError('validation_failed', `The configuration was not reloaded: ${message}`, {
    details,
  });
}
