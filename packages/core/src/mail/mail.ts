/** A mail to one person. */
export interface Mail {
  /** Stays the same when the mail is sent again because nobody knows whether it was. */
  readonly id: string;
  /** The bare address. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** A text for one line of a mail: without control characters, which could begin a header of their own. */
export function toMailLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Sends mails: by SMTP, into files, or through a host's own system. */
export interface Mailer {
  /** Resolves once the mail is in the hands of others who keep it; rejects to be asked again. */
  send(mail: Mail): Promise<void>;
}
