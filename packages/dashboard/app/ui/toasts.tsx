import { signal } from '@preact/signals';
import { t } from '../text/index.ts';
import { Icon } from './icon.tsx';

interface Message {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

const messages = signal<readonly Message[]>([]);
const SHOWN_MS = 6_000;
let last = 0;

/** Says that something was done; the message goes after six seconds, an error stays. */
export function say(text: string, isError = false): void {
  const id = ++last;
  messages.value = [...messages.value, { id, text, isError }];
  if (!isError) setTimeout(() => close(id), SHOWN_MS);
}

function close(id: number): void {
  messages.value = messages.value.filter((each) => each.id !== id);
}

/** The messages, announced to screen readers. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {messages.value.map(({ id, text, isError }) => (
        <div class="toast" key={id}>
          <span class={isError ? 'bad' : ''}>
            <Icon name={isError ? 'bad' : 'check'} />
          </span>
          <div>
            <span class="strong">{text}</span>
          </div>
          <button
            class="btn btn--ghost btn--sm btn--icon"
            type="button"
            aria-label={t.common.close}
            onClick={() => close(id)}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>
  );
}
