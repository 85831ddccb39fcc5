/** The time that recorded times are moved to, by whole minutes. */
const EXAMPLE_START = Date.parse('2026-01-01T12:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Lists of examples are cut to this many texts, and lists of objects to one. */
const LONGEST_LIST = 2;

/** Members whose recorded values say nothing, or look like secrets. */
const FIXED: Readonly<Record<string, unknown>> = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZW1fMSJ9.c2lnbmF0dXJl',
  address: '203.0.113.7',
  body: '{"id":"evt_1","type":"alert.created","timestamp":"2026-01-01T12:00:00.000Z","data":{"alertId":"alr_1","severity":"high","type":"pii","message":"Personal data (email)"}}',
  csrf_token: '5dHf7Qp1Zk3Rw9Yb',
  current_password: 'correct horse battery staple',
  durationMs: 1.5,
  client_secret: 'Xq8~dR2pLw.example-secret',
  hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  instance_url: 'https://acme.service-now.com',
  jws: 'eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiJjcnRfMSJ9.c2lnbmF0dXJl',
  new_password: 'a better horse battery staple',
  otp: '123456',
  otpauth_url: 'otpauth://totp/Acme:ann%40acme.example?secret=JBSWY3DPEHPK3PXP&issuer=Acme',
  password: 'correct horse battery staple',
  previous_hash: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
  recovery_codes: ['4kq7-x2mn', '9wdt-c6ph'],
  user_agent: 'Mozilla/5.0',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  'webhook-timestamp': '1767268800',
  'x-service-signature': 'sha256=b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
};

/** Members in which a random name stands for one that a person would choose. */
const NAMES: Readonly<Record<string, string>> = {
  email: 'bob@acme.example',
  instance_id: 'gateway-eu-1',
  name: 'Acme Europe',
  slug: 'acme',
};

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;
const UUIDS = new RegExp(UUID, 'g');
/** The id of a record of ServiceNow. */
const SYS_ID = /(?<![\da-f-])[\da-f]{32}(?![\da-f])/;
/** A public key or its thumbprint, 32 bytes in base64url. */
const THUMBPRINT = /^[\w-]{43}$/;
const RANDOM_EMAIL = new RegExp(`^${UUID.source}@acme\\.example$`);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** An identifier or token with its prefix. */
const IDENTIFIER = /\b([a-z]{3,6})_(?=[a-z+/]*[A-Z\d])[A-Za-z\d+/=]{8,}/g;

/** Replaces what differs between two recordings of one call: identifiers, times, secrets. */
export function createExampleValues(recordedAt: Date): (value: unknown) => unknown {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();

  function toIdentifier(text: string, prefix: string): string {
    const before = known.get(text);
    if (before) return before;
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    const identifier = `${prefix}_${count}`;
    known.set(text, identifier);
    return identifier;
  }

  /** UUIDs as SCIM ids have them. */
  function toUuid(text: string): string {
    const before = known.get(text);
    if (before) return before;
    const count = (counts.get('uuid') ?? 0) + 1;
    counts.set('uuid', count);
    const uuid = `019b7000-0000-7000-8000-${String(count).padStart(12, '0')}`;
    known.set(text, uuid);
    return uuid;
  }

  function toText(text: string, name: string): string {
    if (UUID.test(text) && name in NAMES) return NAMES[name] ?? text;
    if (TIME.test(text)) {
      const minutes = Math.round((Date.parse(text) - recordedAt.getTime()) / MINUTE_MS);
      return new Date(EXAMPLE_START + minutes * MINUTE_MS).toISOString();
    }
    if (DATE.test(text)) {
      const today = Date.parse(recordedAt.toISOString().slice(0, 10));
      const days = (Date.parse(text) - today) / DAY_MS;
      return new Date(EXAMPLE_START + days * DAY_MS).toISOString().slice(0, 10);
    }
    return text
      .replace(RANDOM_EMAIL, 'bob@acme.example')
      .replace(UUIDS, toUuid)
      .replace(IDENTIFIER, toIdentifier)
      .replace(/expires=\d+/, 'expires=1767272400')
      .replace(/signature=[^&]+/, 'signature=Q2VydA')
      .replace(/https:\/\/127\.0\.0\.1:\d+(?=\/nav_to)/, 'https://acme.service-now.com')
      .replace(THUMBPRINT, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
      .replace(SYS_ID, '0d3a5f7e9b1c2d4e6f80a1b2c3d4e5f6')
      .replace(/https:\/\/(127\.0\.0\.1:\d+|8\.8\.8\.8)/, 'https://hooks.acme.example')
      .replace(/http:\/\/127\.0\.0\.1:\d+/, 'https://probity.example.com');
  }

  function toValue(value: unknown, name: string): unknown {
    const fixed = FIXED[name];
    if (value !== null && typeof value === typeof fixed) return fixed;
    if (typeof value === 'string') return toText(value, name);
    if (Array.isArray(value)) {
      const length = typeof value[0] === 'object' ? 1 : LONGEST_LIST;
      return value.slice(0, length).map((each) => toValue(each, ''));
    }
    if (typeof value !== 'object' || value === null) return value;
    return toObject(value as Record<string, unknown>);
  }

  function toObject(value: Record<string, unknown>): Record<string, unknown> {
    // A JSON Schema without a part of its lists would be another one.
    if ('$schema' in value) return value;
    // Readers of OpenAPI documents take `$ref` for a reference in examples, too.
    const named = Object.entries(value).filter(([name]) => name !== '$ref');
    const members = named.map(([name, member]) => [name, toValue(member, name)]);
    const shown = Object.fromEntries(members);
    // The paging members count what the example shows.
    const list = Object.values(shown).find(Array.isArray);
    if ('has_more' in shown) return { ...shown, total: list?.length ?? 0, has_more: false };
    // The first and the last day of a month.
    if (Object.keys(shown).join() === 'start,end' && DATE.test(String(shown.start))) {
      return { start: '2026-01-01', end: '2026-01-31' };
    }
    // An enrollment, beside secrets of other kinds.
    return 'otpauth_url' in shown ? { ...shown, secret: 'JBSWY3DPEHPK3PXP' } : shown;
  }

  return (value) => toValue(value, '');
}
