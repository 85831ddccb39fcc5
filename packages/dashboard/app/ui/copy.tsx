import { t } from '../text/index.ts';
import { Icon } from './icon.tsx';
import { say } from './toasts.tsx';

/** A value that is copied when it is pressed. */
export function Copy({ value, short }: { readonly value: string; readonly short?: string }) {
  return (
    <button class="copy" type="button" title={value} onClick={() => copy(value)}>
      <span class="sr">{t.common.copy} </span>
      <span class="truncate">{short ?? value}</span>
      <Icon name="copy" />
    </button>
  );
}

/** Code that can be copied whole. */
export function Code({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="code">
      <figcaption>
        <span>{title}</span>
        <button class="btn btn--ghost btn--sm" type="button" onClick={() => copy(text)}>
          <Icon name="copy" small />
          {t.common.copy}
          <span class="sr"> {title}</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <pre tabIndex={0} role="region" aria-label={title}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  say(t.common.copied);
}
