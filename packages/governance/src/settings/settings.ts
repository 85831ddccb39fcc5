import type { AuditFields, CallContext, FieldError, Runtime } from '@probity/core';
import { validationError } from '@probity/core';
import { changedFields, requireContext, validate } from '@probity/core/internal';
import type { FirstDay } from '../summaries/days.ts';
import { settingsChanges } from './input.ts';
import type { UpkeepStorage } from './storage.ts';
import type {
  OrganizationSettings,
  RetentionSettings,
  SettingsChanges,
  StoredSettings,
} from './types.ts';
import { DEFAULT_RETENTION } from './types.ts';

/** The settings of the caller's organization. */
export interface Settings {
  get(context: CallContext): Promise<OrganizationSettings>;
  /**
   * Changes the given members. Terms hold from the next run of retention on, on every instance.
   * @throws ProbityError `validation_failed` with every bad field
   */
  update(context: CallContext, changes: SettingsChanges): Promise<OrganizationSettings>;
}

/** Dependencies of the service beside a runtime. */
export interface SettingsOptions {
  readonly upkeep: UpkeepStorage;
  /** The day with which summaries of an organization begin. */
  readonly firstDay: FirstDay;
}

/** The shortest term under the preset `eu-ai-act`, in days: six months. */
const SIX_MONTHS = 184;

const TERMS = ['scansWithPersonalDataDays', 'scansDays', 'resolvedAlertsDays'] as const;

/** Creates the settings service. */
export function createSettings(runtime: Runtime, { upkeep, firstDay }: SettingsOptions): Settings {
  const { audit, clock, tenants } = runtime;
  return {
    async get({ principal }) {
      return (await upkeep.findSettings(principal.organizationId)) ?? defaults();
    },
    async update(context, changes) {
      requireContext('updateSettings', context);
      const { retention: given = {} } = validate(settingsChanges, changes, 'changes');
      const { organizationId } = context.principal;
      await tenants?.ensure(organizationId, context);
      const from = await firstDay(organizationId);
      return upkeep.withTenantLock(context, organizationId, async (tx) => {
        const before = (await tx.findSettings(organizationId)) ?? defaults();
        const retention = merged(before.retention, given);
        requireConsistent(retention);
        const change = changedFields(fieldsOf(before.retention), fieldsOf(retention));
        if (Object.keys(change.after).length === 0) return before;
        const after: StoredSettings = { organizationId, retention, updatedAt: clock.now() };
        await tx.putSettings(after);
        // From now on retention waits for the summary of a day, however short the terms are.
        await tx.beginSummaries(organizationId, from);
        const target = { type: 'organization', id: organizationId };
        await audit.record(tx, context, 'governance_settings.updated', target, change);
        return after;
      });
    },
  };
}

function defaults(): OrganizationSettings {
  return { retention: DEFAULT_RETENTION, updatedAt: null };
}

/** The settings with the changes; a preset that is set lengthens the terms that are not given with it. */
function merged(
  before: RetentionSettings,
  given: NonNullable<SettingsChanges['retention']>,
): RetentionSettings {
  const all = { ...before, ...withoutUndefined(given) };
  if (given.preset !== 'eu-ai-act') return all;
  const lengthened = TERMS.filter((name) => given[name] === undefined).map((name) => {
    const days = all[name];
    return [name, days === null ? null : Math.max(days, SIX_MONTHS)];
  });
  return { ...all, ...Object.fromEntries(lengthened) };
}

function withoutUndefined<T extends object>(
  given: T,
): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as never;
}

/** @throws ProbityError `validation_failed` */
function requireConsistent(retention: RetentionSettings): void {
  const errors: FieldError[] = [];
  const { preset, scansDays, scansWithPersonalDataDays } = retention;
  for (const name of TERMS) {
    const days = retention[name];
    if (preset !== 'eu-ai-act' || days === null || days >= SIX_MONTHS) continue;
    const message = `must be at least ${SIX_MONTHS} under the preset eu-ai-act`;
    errors.push({ field: `retention.${name}`, message });
  }
  if (scansDays !== null && scansDays < scansWithPersonalDataDays) {
    const message = `must be at least scansWithPersonalDataDays, which is ${scansWithPersonalDataDays}`;
    errors.push({ field: 'retention.scansDays', message });
  }
  if (errors.length > 0) throw validationError(...errors);
}

function fieldsOf({ preset, ...terms }: RetentionSettings): AuditFields {
  return { preset, ...terms };
}
