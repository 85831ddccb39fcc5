import { RETENTION_PRESETS } from '@probity/core/internal';
import { z } from 'zod';

/** Bounds of a term in days. */
const MIN_DAYS = 1;
const MAX_DAYS = 3_650;

const DAYS = `must be a whole number from ${MIN_DAYS} to ${MAX_DAYS}`;
const days = z.int(DAYS).min(MIN_DAYS, DAYS).max(MAX_DAYS, DAYS);
const PRESET = `must be one of ${RETENTION_PRESETS.join(', ')}`;

/** The members of the retention of an organization, given and returned alike. */
export const retentionMembers = {
  preset: z
    .enum(RETENTION_PRESETS, PRESET)
    .describe(
      '`eu-ai-act` allows no term below 184 days, as Articles 19 and 26(6) of Regulation (EU) 2024/1689 ask for logs of ' +
        'six months; shorter terms are lengthened when it is set.',
    ),
  scansWithPersonalDataDays: days.describe(
    'Days after which records of scans with personal-data findings are deleted; at most `scansDays`.',
  ),
  scansDays: days
    .nullable()
    .describe(
      'Days after which records of all scans are deleted; null keeps those without personal data.',
    ),
  resolvedAlertsDays: days
    .nullable()
    .describe(
      'Days after its resolution at which an alert is deleted with its comments and history; null keeps them.',
    ),
};

/** Changes of the settings of an organization. */
export const settingsChanges = z
  .strictObject({
    retention: z
      .strictObject({
        preset: retentionMembers.preset.optional(),
        scansWithPersonalDataDays: retentionMembers.scansWithPersonalDataDays.optional(),
        scansDays: retentionMembers.scansDays.optional(),
        resolvedAlertsDays: retentionMembers.resolvedAlertsDays.optional(),
      })
      .meta({ id: 'RetentionChanges' })
      .optional(),
  })
  .meta({ id: 'GovernanceSettingsChanges' });
