import type { Storage } from '../storage/database.ts';

/** Whether the service is in maintenance. */
export interface MaintenanceState {
  readonly active: boolean;
  /** When maintenance last began; null when it never did. */
  readonly beganAt: Date | null;
}

/** Reads of the state of maintenance. */
export interface MaintenanceReads {
  readMaintenance(): Promise<MaintenanceState>;
}

/** Changes of the state of maintenance. */
export interface MaintenanceWrites {
  /** Begins maintenance; while it is on already, nothing changes, the time of its begin neither. */
  beginMaintenance(at: Date): Promise<void>;
  /** Ends maintenance; the time of its begin stays. */
  endMaintenance(): Promise<void>;
}

/** Storage of the state of maintenance, one for all organizations. */
export type MaintenanceStorage = Storage<MaintenanceReads, MaintenanceWrites>;
