import type { RestoredText } from '@probity/pipeline';
import type { CallTreatment } from './restoration.ts';

/** Takes API keys of providers out of what goes to a client. */
export interface ProviderSecrets {
  clean(text: string): string;
  /** The same for a text that comes in parts, wherever it is cut. */
  open(): RestoredText;
}

/** A shorter key would be found in words, and in the names of members. */
const SHORTEST = 8;
const REPLACEMENT = '[API_KEY]';

/** @param keys those of the providers that may answer a call; undefined for one without */
export function createProviderSecrets(keys: readonly (string | undefined)[]): ProviderSecrets {
  const known = keys.filter((key) => key !== undefined && key.length >= SHORTEST) as string[];
  // Texts within JSON have the escapes of JSON.
  const forms = [...new Set(known.flatMap((key) => [key, JSON.stringify(key).slice(1, -1)]))];
  const clean = (text: string) =>
    forms.reduce((cleaned, form) => cleaned.replaceAll(form, REPLACEMENT), text);
  return {
    clean,
    open() {
      let tail = '';
      return {
        feed(text) {
          if (forms.length === 0) return text;
          const cleaned = clean(tail + text);
          const kept = Math.max(...forms.map((form) => begunIn(cleaned, form)));
          tail = cleaned.slice(cleaned.length - kept);
          return cleaned.slice(0, cleaned.length - kept);
        },
        end() {
          const rest = tail;
          tail = '';
          return rest;
        },
      };
    },
  };
}

/** How many characters at the end of a text begin a key. */
function begunIn(text: string, key: string): number {
  for (let length = Math.min(text.length, key.length - 1); length > 0; length--) {
    if (text.endsWith(key.slice(0, length))) return length;
  }
  return 0;
}

/** The same treatment, which gives no API keys of providers in texts that come in parts. */
export function withoutSecrets(treatment: CallTreatment, secrets: ProviderSecrets): CallTreatment {
  return {
    ...treatment,
    openText() {
      const restored = treatment.openText();
      const cleaned = secrets.open();
      return {
        feed: (text) => cleaned.feed(restored.feed(text)),
        end: () => cleaned.feed(restored.end()) + cleaned.end(),
      };
    },
  };
}
