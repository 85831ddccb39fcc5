/** A mail to one person. */
export interface Mail {
  /** Stays the same when the mail is sent again because its delivery is uncertain. */
  readonly id: string;
  /** The address without a display name. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Removes control characters from a line of a mail; they could inject a header. */
export function toMailLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Sends mails: by SMTP, to files, or through a host's own system. */
export interface Mailer {
  /** Resolves once the mail has been accepted for delivery; rejects to be retried. */
  send(mail: Mail): Promise<void>;
}
