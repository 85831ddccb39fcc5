import type { Storage } from '../storage/database.ts';

/** Whether the service is in maintenance. */
export interface MaintenanceState {
  readonly active: boolean;
  /** Time when maintenance last began; null when it never did. */
  readonly beganAt: Date | null;
}

/** Reads of the state of maintenance. */
export interface MaintenanceReads {
  readMaintenance(): Promise<MaintenanceState>;
}

/** Writes of the state of maintenance. */
export interface MaintenanceWrites {
  /** Begins maintenance; if it is already on, nothing changes, including its start time. */
  beginMaintenance(at: Date): Promise<void>;
  /** Ends maintenance; its start time is kept. */
  endMaintenance(): Promise<void>;
}

/** Storage of the state of maintenance, one for all organizations. */
export type MaintenanceStorage = Storage<MaintenanceReads, MaintenanceWrites>;
