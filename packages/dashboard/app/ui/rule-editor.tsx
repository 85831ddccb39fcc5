import type { PolicyRule } from '@probity/client';
import { t } from '../text/index.ts';
import { Choice, Field } from './form.tsx';
import { Icon } from './icon.tsx';

/** A rule as it is typed. */
export interface RuleDraft {
  readonly stage: string;
  /** Separated by commas; empty for all types. */
  readonly types: string;
  /** Empty where the stage's own threshold holds. */
  readonly threshold: string;
  readonly action: PolicyRule['action'];
}

const ACTIONS = ['block', 'redact', 'flag', 'allow'] as const;

/** The rules of a policy, each with its own errors. */
export function RuleEditor({
  rules,
  isDisabled,
  onChange,
  errorOf,
}: {
  readonly rules: readonly RuleDraft[];
  readonly isDisabled: boolean;
  readonly onChange: (rules: readonly RuleDraft[]) => void;
  readonly errorOf: (field: string) => string | null;
}) {
  const change = (index: number, part: Partial<RuleDraft>) =>
    onChange(rules.map((rule, each) => (each === index ? { ...rule, ...part } : rule)));
  return (
    <>
      <ol class="rules">
        {rules.map((rule, index) => (
          <li class="rule" key={index}>
            <div class="rule-head">
              <span class="finding-no">{index + 1}</span>
              <span class="strong">
                {t.action[rule.action]}: {t.stage[rule.stage] ?? rule.stage}
              </span>
              {isDisabled ? null : (
                <button
                  class="btn btn--ghost btn--sm btn--icon push"
                  type="button"
                  aria-label={t.policy.removeRule(String(index + 1))}
                  onClick={() => onChange(rules.filter((_, each) => each !== index))}
                >
                  <Icon name="trash" />
                </button>
              )}
            </div>
            <div class="cols cols--2">
              <Choice
                label={t.policy.ruleStage}
                values={stagesWith(rule.stage)}
                value={rule.stage}
                onChange={(stage) => change(index, { stage })}
              />
              <Choice
                label={t.policy.ruleAction}
                values={ACTIONS.map((action) => [action, t.action[action]] as const)}
                value={rule.action}
                onChange={(action) => change(index, { action })}
              />
              <Field
                label={t.policy.ruleThreshold}
                inputMode="decimal"
                value={rule.threshold}
                optional
                error={errorOf(`rules.${index}.threshold`)}
                onInput={(event) => change(index, { threshold: event.currentTarget.value })}
              />
              <Field
                label={t.policy.ruleTypes}
                value={rule.types}
                optional
                placeholder={t.policy.anyType}
                error={errorOf(`rules.${index}.types`)}
                onInput={(event) => change(index, { types: event.currentTarget.value })}
              />
            </div>
          </li>
        ))}
      </ol>
      {isDisabled ? null : (
        <div class="row">
          <button
            class="btn"
            type="button"
            onClick={() =>
              onChange([
                ...rules,
                { stage: 'pii_scanner', types: '', threshold: '', action: 'flag' },
              ])
            }
          >
            <Icon name="plus" />
            {t.policy.addRule}
          </button>
        </div>
      )}
    </>
  );
}

function stagesWith(stage: string): readonly (readonly [string, string])[] {
  const known = Object.entries(t.stage);
  return stage in t.stage ? known : [...known, [stage, stage]];
}

/** A rule of the API as the editor shows it. */
export function toDraft({ stage, types = [], threshold, action }: PolicyRule): RuleDraft {
  return { stage, types: types.join(', '), threshold: threshold?.toString() ?? '', action };
}

/** The typed rule in the form of the API; the server judges a threshold that is not a number. */
export function toRule({ stage, types, threshold, action }: RuleDraft): PolicyRule {
  const names = types.split(',').map((type) => type.trim());
  const given = names.filter((type) => type !== '');
  return {
    stage,
    action,
    ...(given.length === 0 ? {} : { types: given }),
    ...(threshold.trim() === '' ? {} : { threshold: Number(threshold.replace(',', '.')) }),
  };
}
