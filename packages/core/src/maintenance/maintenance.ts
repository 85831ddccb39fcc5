import type { Clock } from '../clock.ts';
import { OUTSIDE_REQUEST } from '../storage/database.ts';
import type { MaintenanceState, MaintenanceStorage } from './storage.ts';

/** Maintenance of the whole service, shared by all instances on one database. */
export interface Maintenance {
  /**
   * The current state, at most a second old unless this instance cannot read it; then the last
   * known state.
   */
  state(): Promise<MaintenanceState>;
  /** Begins maintenance and returns the state; takes effect on every instance within a second. */
  begin(): Promise<MaintenanceState>;
  /** Ends maintenance and returns the state. */
  end(): Promise<MaintenanceState>;
}

/** Dependencies of the maintenance service. */
export interface MaintenanceDependencies {
  readonly storage: MaintenanceStorage;
  readonly clock: Clock;
}

const MAX_AGE_MS = 1_000;

/** Creates the maintenance service. */
export function createMaintenance({ storage, clock }: MaintenanceDependencies): Maintenance {
  let known: MaintenanceState = { active: false, beganAt: null };
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<MaintenanceState> | null = null;

  async function read(): Promise<MaintenanceState> {
    const startedAtMs = clock.monotonicMs();
    try {
      known = await storage.readMaintenance();
    } catch {
      // Requests that need the database fail with their own error; others may proceed.
    }
    readAtMs = startedAtMs;
    reading = null;
    return known;
  }

  async function change(write: 'beginMaintenance' | 'endMaintenance'): Promise<MaintenanceState> {
    const now = clock.now();
    known = await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      await tx[write](now);
      return tx.readMaintenance();
    });
    return known;
  }

  return {
    async state() {
      if (clock.monotonicMs() - readAtMs < MAX_AGE_MS) return known;
      reading ??= read();
      return reading;
    },
    begin: () => change('beginMaintenance'),
    end: () => change('endMaintenance'),
  };
}
