import type { ComponentChildren } from 'preact';
import { mount } from '../api/connection.ts';

/** The address of a page below the mount. */
export function toHref(path: string): string {
  return mount.pathname + path;
}

/** A link to a page: `href` is below the mount, without a slash at the start. */
export function Link({
  href,
  class: className = '',
  current = false,
  children,
}: {
  readonly href: string;
  readonly class?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <a class={className} href={toHref(href)} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  );
}
