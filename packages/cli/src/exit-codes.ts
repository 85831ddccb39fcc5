/** What `probity` exits with. */
export const EXIT = {
  /** Done: also an import of which every record was there already. */
  ok: 0,
  /** A scan has the verdict of `--fail-on`, or a verification has found a fault. */
  finding: 1,
  /** The command line, a setting or an input file is wrong. Nothing was sent. */
  usage: 2,
  /** No answer from the server. */
  network: 3,
  /** No API key, or one that the server refuses or that lacks the permission or the plan. */
  access: 4,
  /** The server refused the request for another reason, or failed. */
  server: 5,
  /** SIGINT or SIGTERM. */
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
