import { DRAWINGS } from './data/drawings.tsx';

export type IconName = keyof typeof DRAWINGS;

/** A drawing, hidden from screen readers, which read the words next to it. */
export function Icon({
  name,
  small = false,
}: {
  readonly name: IconName;
  readonly small?: boolean;
}) {
  const Drawing = DRAWINGS[name];
  return (
    <svg class={small ? 'icon icon--sm' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <Drawing />
    </svg>
  );
}
