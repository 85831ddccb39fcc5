/** Plans from smallest to largest. */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;

/** Name of a plan. */
export type Plan = (typeof PLANS)[number];

/** Whether `text` names a plan. */
export function isPlan(text: string): text is Plan {
  return (PLANS as readonly string[]).includes(text);
}
