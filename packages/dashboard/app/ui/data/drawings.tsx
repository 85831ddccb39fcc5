import type { JSX } from 'preact';

/** The drawings, on a grid of 16; `<use>` would break under a `<base>`. */
export const DRAWINGS = {
  brand: () => (
    <>
      <path d="M4.5 1.75h7M8 1.75v5" />
      <path d="M8 6.75 11 10.75 8 14.75 5 10.75Z" fill="currentColor" />
    </>
  ),
  overview: () => (
    <>
      <path d="M2.75 13.25v-4M6.25 13.25v-10M9.75 13.25v-6.5M13.25 13.25v-3" />
    </>
  ),
  play: () => (
    <>
      <path d="M5 3.25v9.5L12.5 8Z" />
    </>
  ),
  scan: () => (
    <>
      <path d="M2.5 5.5v-2a1 1 0 0 1 1-1h2M10.5 2.5h2a1 1 0 0 1 1 1v2M13.5 10.5v2a1 1 0 0 1-1 1h-2M5.5 13.5h-2a1 1 0 0 1-1-1v-2M4.75 8h6.5" />
    </>
  ),
  alert: () => (
    <>
      <path d="M8 2.25A3.75 3.75 0 0 0 4.25 6c0 3.3-1.5 4.4-1.5 5.25h10.5c0-.85-1.5-1.95-1.5-5.25A3.75 3.75 0 0 0 8 2.25ZM6.5 13.5a1.6 1.6 0 0 0 3 0" />
    </>
  ),
  policy: () => (
    <>
      <path d="M8 1.75 13 3.7v3.9c0 3.1-2 5.4-5 6.65C5 13 3 10.7 3 7.6V3.7ZM5.75 7.9l1.6 1.6 2.9-3.1" />
    </>
  ),
  book: () => (
    <>
      <path d="M2.75 3.25C4.6 2.6 6.4 2.8 8 3.9c1.6-1.1 3.4-1.3 5.25-.65v9.2c-1.85-.65-3.65-.45-5.25.65-1.6-1.1-3.4-1.3-5.25-.65ZM8 3.9v9.2" />
    </>
  ),
  hook: () => (
    <>
      <circle cx="8" cy="3.75" r="1.75" />
      <circle cx="3.75" cy="12" r="1.75" />
      <circle cx="12.25" cy="12" r="1.75" />
      <path d="M7.15 5.3 4.6 10.4M8.85 5.3l2.55 5.1M5.5 12h5" />
    </>
  ),
  gateway: () => (
    <>
      <path d="M2.5 4a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1ZM2.5 10a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1ZM5 5h.01M5 11h.01" />
    </>
  ),
  evidence: () => (
    <>
      <path d="M9.25 1.75H4.5a1 1 0 0 0-1 1v10.5a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5ZM9.25 1.75V5h3.25M6 9.5l1.4 1.4 2.6-2.8" />
    </>
  ),
  grid: () => (
    <>
      <path d="M2.5 2.5h4.25v4.25H2.5ZM9.25 2.5h4.25v4.25H9.25ZM2.5 9.25h4.25v4.25H2.5ZM9.25 9.25h4.25v4.25H9.25Z" />
    </>
  ),
  audit: () => (
    <>
      <path d="M6 3.5h7.5M6 8h7.5M6 12.5h7.5M2.75 3.5h.01M2.75 8h.01M2.75 12.5h.01" />
    </>
  ),
  users: () => (
    <>
      <circle cx="6" cy="5.25" r="2.5" />
      <path d="M1.75 13.25c.3-2.5 2-3.75 4.25-3.75s3.95 1.25 4.25 3.75M10.75 3a2.5 2.5 0 0 1 0 4.5M12 9.85c1.3.5 2.1 1.65 2.25 3.4" />
    </>
  ),
  key: () => (
    <>
      <circle cx="5.25" cy="10.75" r="2.75" />
      <path d="m7.25 8.75 6-6M10.5 5.5l2 2" />
    </>
  ),
  sync: () => (
    <>
      <path d="M2.5 7.25A5.5 5.5 0 0 1 12.4 4.6M13.5 8.75A5.5 5.5 0 0 1 3.6 11.4M12.75 1.75v3h-3M3.25 14.25v-3h3" />
    </>
  ),
  card: () => (
    <>
      <path d="M1.75 4.5a1 1 0 0 1 1-1h10.5a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H2.75a1 1 0 0 1-1-1ZM1.75 6.75h12.5M4.25 10h2.5" />
    </>
  ),
  settings: () => (
    <>
      <path d="M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6" />
      <circle cx="10.25" cy="4.5" r="1.75" />
      <circle cx="5.75" cy="11.5" r="1.75" />
    </>
  ),
  search: () => (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.25 10.25 3.25 3.25" />
    </>
  ),
  plus: () => (
    <>
      <path d="M8 3v10M3 8h10" />
    </>
  ),
  x: () => (
    <>
      <path d="m4 4 8 8M12 4l-8 8" />
    </>
  ),
  check: () => (
    <>
      <path d="m3.25 8.5 3 3 6.5-7" />
    </>
  ),
  down: () => (
    <>
      <path d="m4 6.25 4 4 4-4" />
    </>
  ),
  right: () => (
    <>
      <path d="m6.25 4 4 4-4 4" />
    </>
  ),
  left: () => (
    <>
      <path d="m9.75 4-4 4 4 4" />
    </>
  ),
  updown: () => (
    <>
      <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />
    </>
  ),
  up: () => (
    <>
      <path d="M8 13V3M4 7l4-4 4 4" />
    </>
  ),
  downarrow: () => (
    <>
      <path d="M8 3v10M4 9l4 4 4-4" />
    </>
  ),
  more: () => (
    <>
      <circle cx="3.5" cy="8" r="1" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="1" fill="currentColor" stroke="none" />
      <circle cx="12.5" cy="8" r="1" fill="currentColor" stroke="none" />
    </>
  ),
  copy: () => (
    <>
      <path d="M5.75 5.75V3.5a1 1 0 0 1 1-1h5.75a1 1 0 0 1 1 1v5.75a1 1 0 0 1-1 1h-2.25M2.5 6.75a1 1 0 0 1 1-1h5.75a1 1 0 0 1 1 1v5.75a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1Z" />
    </>
  ),
  external: () => (
    <>
      <path d="M9 2.75h4.25V7M13 3 7.5 8.5M11.25 9.5v3a1 1 0 0 1-1 1h-6.5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1h3" />
    </>
  ),
  filter: () => (
    <>
      <path d="M2.5 4h11M4.75 8h6.5M6.75 12h2.5" />
    </>
  ),
  menu: () => (
    <>
      <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />
    </>
  ),
  sun: () => (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.25v1.5M8 13.25v1.5M1.25 8h1.5M13.25 8h1.5M3.25 3.25l1 1M11.75 11.75l1 1M12.75 3.25l-1 1M4.25 11.75l-1 1" />
    </>
  ),
  help: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M6.25 6.4c.1-1 .8-1.6 1.8-1.6s1.75.6 1.75 1.5c0 1.3-1.75 1.35-1.75 2.7M8 11.4h.01" />
    </>
  ),
  refresh: () => (
    <>
      <path d="M13.25 8a5.25 5.25 0 1 1-1.6-3.75M13.25 1.75v3h-3" />
    </>
  ),
  trash: () => (
    <>
      <path d="M2.75 4.25h10.5M6.25 4V2.5h3.5V4M4 4.25l.6 8.4a1 1 0 0 0 1 .85h4.8a1 1 0 0 0 1-.85l.6-8.4" />
    </>
  ),
  edit: () => (
    <>
      <path d="m10.25 3.25 2.5 2.5-7 7-3 .5.5-3Z" />
    </>
  ),
  download: () => (
    <>
      <path d="M8 2.25v7.5M4.75 6.75 8 10l3.25-3.25M2.75 13.25h10.5" />
    </>
  ),
  upload: () => (
    <>
      <path d="M8 10V2.5M4.75 5.5 8 2.25 11.25 5.5M2.75 13.25h10.5" />
    </>
  ),
  clock: () => (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 4.75V8l2.25 1.5" />
    </>
  ),
  link: () => (
    <>
      <path d="M6.75 9.25a2.5 2.5 0 0 0 3.6.1l2.2-2.2a2.5 2.5 0 0 0-3.6-3.5l-.8.8M9.25 6.75a2.5 2.5 0 0 0-3.6-.1l-2.2 2.2a2.5 2.5 0 0 0 3.6 3.5l.8-.8" />
    </>
  ),
  warning: () => (
    <>
      <path d="M8 2.5 14 13H2ZM8 6.5V9.5M8 11.25h.01" />
    </>
  ),
  info: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 7.5v3.75M8 5h.01" />
    </>
  ),
  bad: () => (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 4.75V8.5M8 11h.01" />
    </>
  ),
  offline: () => (
    <>
      <path d="M2 2l12 12M4.5 7.2A6 6 0 0 1 6.4 6M1.75 4.9A10 10 0 0 1 4 3.4M8 3c2.4 0 4.6.8 6.25 2.2M10.3 6.6c.5.2.9.5 1.3.9M6.3 9.6a2.5 2.5 0 0 1 3.4 0M8 12.5h.01" />
    </>
  ),
  logout: () => (
    <>
      <path d="M6.5 2.5H3.75a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1H6.5M10 5l3 3-3 3M13 8H6.25" />
    </>
  ),
  comment: () => (
    <>
      <path d="M2.5 3.5h11v8H8.25L5.5 14v-2.5h-3Z" />
    </>
  ),
  person: () => (
    <>
      <circle cx="8" cy="5.25" r="2.75" />
      <path d="M2.75 13.75c.4-2.8 2.4-4.25 5.25-4.25s4.85 1.45 5.25 4.25" />
    </>
  ),
  lock: () => (
    <>
      <path d="M3.5 7.5h9v6h-9ZM5.25 7.5V5a2.75 2.75 0 0 1 5.5 0v2.5" />
    </>
  ),
  send: () => (
    <>
      <path d="M14 2 7.25 8.75M14 2 9.75 14 7.25 8.75 2 6.25Z" />
    </>
  ),
  pause: () => (
    <>
      <path d="M5.5 3.5v9M10.5 3.5v9" />
    </>
  ),
  eye: () => (
    <>
      <path d="M1.5 8C3 5.1 5.2 3.75 8 3.75S13 5.1 14.5 8C13 10.9 10.8 12.25 8 12.25S3 10.9 1.5 8Z" />
      <circle cx="8" cy="8" r="1.75" />
    </>
  ),
  history: () => (
    <>
      <path d="M2.75 8a5.25 5.25 0 1 0 1.6-3.75L2.75 5.75M2.75 2.5v3.25H6M8 5.25V8l2 1.25" />
    </>
  ),
  chain: () => (
    <>
      <path d="M8 1.75 13 4.6v6.8l-5 2.85-5-2.85V4.6ZM3.1 4.75 8 7.5l4.9-2.75M8 7.5v6.6" />
    </>
  ),
  allowed: () => (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="m5.25 8.25 2 2 3.5-4" />
    </>
  ),
  flagged: () => (
    <>
      <path d="M3.75 14V2.5h8.5L10.25 6l2 3.5h-8.5" />
    </>
  ),
  redacted: () => (
    <>
      <path d="M2 5.25a1.25 1.25 0 0 1 1.25-1.25h9.5A1.25 1.25 0 0 1 14 5.25v5.5A1.25 1.25 0 0 1 12.75 12h-9.5A1.25 1.25 0 0 1 2 10.75Z" />
      <path d="M4.25 6.75h7.5v2.5h-7.5Z" fill="currentColor" />
    </>
  ),
  blocked: () => (
    <>
      <path
        d="M5.2 1.25h5.6l3.95 3.95v5.6l-3.95 3.95H5.2L1.25 10.8V5.2ZM4.5 7.1v1.8h7V7.1Z"
        fill="currentColor"
        fill-rule="evenodd"
        stroke="none"
      />
    </>
  ),
  'sev-low': () => (
    <>
      <rect x="2" y="10" width="3" height="4" rx="1" fill="currentColor" stroke="none" />
      <rect
        x="6.5"
        y="6.5"
        width="3"
        height="7.5"
        rx="1"
        fill="currentColor"
        stroke="none"
        opacity=".25"
      />
      <rect
        x="11"
        y="3"
        width="3"
        height="11"
        rx="1"
        fill="currentColor"
        stroke="none"
        opacity=".25"
      />
    </>
  ),
  'sev-medium': () => (
    <>
      <rect x="2" y="10" width="3" height="4" rx="1" fill="currentColor" stroke="none" />
      <rect x="6.5" y="6.5" width="3" height="7.5" rx="1" fill="currentColor" stroke="none" />
      <rect
        x="11"
        y="3"
        width="3"
        height="11"
        rx="1"
        fill="currentColor"
        stroke="none"
        opacity=".25"
      />
    </>
  ),
  'sev-high': () => (
    <>
      <rect x="2" y="10" width="3" height="4" rx="1" fill="currentColor" stroke="none" />
      <rect x="6.5" y="6.5" width="3" height="7.5" rx="1" fill="currentColor" stroke="none" />
      <rect x="11" y="3" width="3" height="11" rx="1" fill="currentColor" stroke="none" />
    </>
  ),
  'sev-critical': () => (
    <>
      <path
        d="M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM7 4l.3 5h1.4L9 4ZM8 10.2a.95.95 0 1 0 0 1.9.95.95 0 0 0 0-1.9Z"
        fill="currentColor"
        fill-rule="evenodd"
        stroke="none"
      />
    </>
  ),
  none: () => (
    <>
      <circle cx="8" cy="8" r="4.75" stroke-dasharray="2.4 2.6" />
    </>
  ),
  dot: () => (
    <>
      <circle cx="8" cy="8" r="3.25" fill="currentColor" stroke="none" />
    </>
  ),
  ring: () => (
    <>
      <circle cx="8" cy="8" r="4.5" />
    </>
  ),
  half: () => (
    <>
      <circle cx="8" cy="8" r="4.75" />
      <path d="M8 3.25a4.75 4.75 0 0 1 0 9.5Z" fill="currentColor" stroke="none" />
    </>
  ),
} satisfies Record<string, () => JSX.Element>;
