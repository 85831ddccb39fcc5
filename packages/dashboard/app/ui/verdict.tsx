import type { Alert, Finding } from '@probity/client';
import { t } from '../text/index.ts';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

type VerdictName = 'allowed' | 'flagged' | 'blocked' | 'redacted';

const CLASSES: Readonly<Record<VerdictName, string>> = {
  allowed: 'badge badge--plain is-good',
  flagged: 'badge badge--flagged',
  redacted: 'badge badge--redacted',
  blocked: 'badge badge--blocked',
};

const BY_ACTION = {
  block: 'blocked',
  redact: 'redacted',
  flag: 'flagged',
  allow: 'allowed',
} as const;

/** The verdict of a scan. */
export function Verdict({
  verdict,
  large = false,
}: {
  readonly verdict: VerdictName;
  readonly large?: boolean;
}) {
  return (
    <span class={large ? `${CLASSES[verdict]} badge--lg` : CLASSES[verdict]}>
      <Icon name={verdict} />
      {t.verdict[verdict]}
    </span>
  );
}

/** The action of a rule on a finding. */
export function Action({ action }: { readonly action: Finding['action'] }) {
  const verdict = BY_ACTION[action];
  return (
    <span class={CLASSES[verdict]}>
      <Icon name={verdict} />
      {t.action[action]}
    </span>
  );
}

/** How urgent an alert is. */
export function Severity({ severity }: { readonly severity: Alert['severity'] }) {
  return (
    <span class={`sev sev--${severity}`}>
      <Icon name={`sev-${severity}` as IconName} />
      {t.severity[severity]}
    </span>
  );
}
