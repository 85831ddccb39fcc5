import type { RetentionPreset } from '@probity/core/internal';

/** How long the records of an organization are kept, in days from 1 to 3,650. */
export interface RetentionSettings {
  /**
   * `eu-ai-act` allows no term below 184 days (Articles 19(1) and 26(6) of Regulation (EU) 2024/1689: six months);
   * `standard` allows any.
   */
  readonly preset: RetentionPreset;
  /** Records of scans that found, or may have found, personal data; at most `scansDays`. */
  readonly scansWithPersonalDataDays: number;
  /** Records of all scans; null for no end. */
  readonly scansDays: number | null;
  /** Alerts from their resolution on, with their comments and history; null for no end. Open alerts stay. */
  readonly resolvedAlertsDays: number | null;
}

/** The settings of an organization. */
export interface OrganizationSettings {
  readonly retention: RetentionSettings;
  /** Null while the organization has the defaults. */
  readonly updatedAt: Date | null;
}

/** Settings as they are stored. */
export interface StoredSettings extends OrganizationSettings {
  readonly organizationId: string;
  readonly updatedAt: Date;
}

/** Members to change; those that are absent stay. */
export interface SettingsChanges {
  readonly retention?:
    | { readonly [Name in keyof RetentionSettings]?: RetentionSettings[Name] | undefined }
    | undefined;
}

/** The settings of an organization that has changed none (contract, section 2). */
export const DEFAULT_RETENTION: RetentionSettings = Object.freeze({
  preset: 'standard',
  scansWithPersonalDataDays: 30,
  scansDays: null,
  resolvedAlertsDays: null,
});
