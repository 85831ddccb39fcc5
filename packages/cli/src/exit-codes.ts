/** What `probity` exits with. {@link EXIT_CODES} says when. */
export const EXIT = {
  ok: 0,
  finding: 1,
  usage: 2,
  network: 3,
  access: 4,
  server: 5,
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** When `probity` exits with which code: the help and the documents have these texts. */
export const EXIT_CODES: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'done; also an import of which every record was there already'],
  [
    EXIT.finding,
    'a verdict of --fail-on, a fault found by a verification, refused rows, or an unknown alert',
  ],
  [EXIT.usage, 'the command line, a setting, or a file that is read or written is wrong'],
  [EXIT.network, 'no answer from the server'],
  [EXIT.access, 'no API key, or one that is refused or lacks the permission or the plan'],
  [EXIT.server, 'the server refused the request for another reason, or failed'],
  [EXIT.interrupted, 'interrupted by SIGINT or SIGTERM; webhooks listen exits with 0'],
];
