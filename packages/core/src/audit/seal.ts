import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChainPlace } from '../crypto/hash-chain.ts';
import type { Random } from '../crypto/random.ts';
import { systemRandom } from '../crypto/random.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import type { AuditLogRecord, AuditRegisterRow, AuditRegisterSize } from './register.ts';
import { auditRegisterPurpose, REGISTER_SIZE_ID } from './register.ts';

/**
 * Proof that the last entry of a log was recorded by a process with the encryption key: an HMAC over
 * its position and hash, which depends on all entries before it.
 */
export interface AuditSeal {
  /** The first entry that was recorded under the log's key. */
  readonly keyedFrom: number;
  /** The log's own key, 32 random bytes in base64, sealed for {@link auditKeyPurpose}. */
  readonly sealedKey: string;
  /** HMAC-SHA-256 in hex. */
  readonly mac: string;
}

/** The last entry of a log; the seal is null where the process that recorded it had no key. */
export interface AuditHead extends ChainPlace {
  readonly seal: AuditSeal | null;
}

/** The last entry that retention removed; the mac is null where no keyed entry was removed. */
export interface AuditCheckpoint extends ChainPlace {
  readonly mac: string | null;
}

/** Seals the ends of audit logs and verifies their seals. */
export interface AuditSealer {
  /**
   * The seal of the entry that follows `previous`. A seal that was invalid stays so: otherwise the
   * next entry would hide that the log was changed.
   *
   * @throws ProbityError `unavailable` when the log's key cannot be opened
   */
  sealHead(organizationId: string, previous: AuditHead | null, next: ChainPlace): AuditSeal;
  /**
   * The mac of a checkpoint; null where it removes no keyed entry.
   * @throws ProbityError `unavailable` when the log's key cannot be opened
   */
  sealCheckpoint(organizationId: string, head: AuditHead, place: ChainPlace): string | null;
  /** A new id of a record in the register. */
  newRecordId(): string;
  sealRecord(id: string, record: AuditLogRecord): string;
  /** The record of a log; null when it was changed or moved. */
  openRecord(row: Pick<AuditRegisterRow, 'id' | 'sealed'>): AuditLogRecord | null;
  sealSize(size: AuditRegisterSize): string;
  /** The record on all logs; null when it was changed. */
  openSize(sealed: string): AuditRegisterSize | null;
  /**
   * Called when an entry follows a log that had a seal and has none now; with null when the record on
   * all logs is missing.
   */
  onBroken(organizationId: string | null, sequence: number | null): void;
  /** Whether the seals of the head and of the checkpoint are valid, where they must have one. */
  isValid(organizationId: string, head: AuditHead, checkpoint: AuditCheckpoint | null): boolean;
}

/** The purpose that the key of an organization's log is sealed for. */
export function auditKeyPurpose(organizationId: string): string {
  return `audit:${organizationId}`;
}

const KEY_BYTES = 32;
/** Number of opened keys that are kept. */
const KEPT_KEYS = 1_000;
/** Stored instead of a mac where the previous seal was invalid; equals no mac. */
const INVALID = 'invalid';

/** Creates a sealer whose keys are sealed in the box. */
export function createAuditSealer(
  secretBox: SecretBox,
  random: Random = systemRandom,
  onBroken: AuditSealer['onBroken'] = () => undefined,
): AuditSealer {
  const sealRow = (id: string, content: object) =>
    secretBox.seal(JSON.stringify(content), auditRegisterPurpose(id));
  function openRow(id: string, sealed: string): unknown {
    try {
      return JSON.parse(secretBox.open(sealed, auditRegisterPurpose(id)));
    } catch {
      return null;
    }
  }

  // Opened once and not for each entry, of which it was more than half of the sealing.
  const keys = new LRUCache<string, Buffer>({ max: KEPT_KEYS });
  function keyOf(organizationId: string, { sealedKey }: AuditSeal): Buffer {
    const name = JSON.stringify([organizationId, sealedKey]);
    const known = keys.get(name);
    if (known) return known;
    const opened = secretBox.open(sealedKey, auditKeyPurpose(organizationId));
    const key = Buffer.from(opened, 'base64');
    keys.set(name, key);
    return key;
  }

  /** The latest heads that were found or made valid, so that most entries take one HMAC and not two. */
  const valid = new LRUCache<string, AuditHead & { readonly seal: AuditSeal }>({ max: KEPT_KEYS });
  function isHeadValid(key: Buffer, organizationId: string, head: AuditHead, seal: AuditSeal) {
    const known = valid.get(organizationId);
    if (known && isSameHead(known, head, seal)) return true;
    return equals(seal.mac, macOf(key, organizationId, seal.keyedFrom, head));
  }

  return {
    newRecordId: () => `log_${Buffer.from(random(16)).toString('hex')}`,
    sealRecord: sealRow,
    openRecord: ({ id, sealed }) => openRow(id, sealed) as AuditLogRecord | null,
    sealSize: (size) => sealRow(REGISTER_SIZE_ID, size),
    openSize: (sealed) => openRow(REGISTER_SIZE_ID, sealed) as AuditRegisterSize | null,
    onBroken,
    sealHead(organizationId, previous, next) {
      const former = previous?.seal;
      if (!previous || !former) {
        const key = Buffer.from(random(KEY_BYTES));
        const purpose = auditKeyPurpose(organizationId);
        const sealedKey = secretBox.seal(key.toString('base64'), purpose);
        const keyedFrom = next.sequence;
        return { keyedFrom, sealedKey, mac: macOf(key, organizationId, keyedFrom, next) };
      }
      const key = openOrFail(() => keyOf(organizationId, former));
      const isValid = isHeadValid(key, organizationId, previous, former);
      if (!isValid) return { ...former, mac: INVALID };
      const seal = { ...former, mac: macOf(key, organizationId, former.keyedFrom, next) };
      valid.set(organizationId, { sequence: next.sequence, hash: next.hash, seal });
      return seal;
    },
    sealCheckpoint(organizationId, { seal }, place) {
      if (!seal || place.sequence < seal.keyedFrom) return null;
      return macOf(
        openOrFail(() => keyOf(organizationId, seal)),
        organizationId,
        'checkpoint',
        place,
      );
    },
    isValid(organizationId, head, checkpoint) {
      const { seal } = head;
      if (!seal) return true;
      try {
        const key = keyOf(organizationId, seal);
        if (!isHeadValid(key, organizationId, head, seal)) return false;
        if (!checkpoint || checkpoint.sequence < seal.keyedFrom) return true;
        return equals(checkpoint.mac, macOf(key, organizationId, 'checkpoint', checkpoint));
      } catch {
        // The key was replaced by text that no encryption key opens.
        return false;
      }
    },
  };
}

function isSameHead(
  known: ChainPlace & { readonly seal: AuditSeal },
  { sequence, hash }: ChainPlace,
  { keyedFrom, sealedKey, mac }: AuditSeal,
): boolean {
  const { seal } = known;
  const isSamePlace = known.sequence === sequence && known.hash === hash;
  const isSameKey = seal.keyedFrom === keyedFrom && seal.sealedKey === sealedKey;
  return isSamePlace && isSameKey && seal.mac === mac;
}

/** `kind` separates heads, by the start of their keyed part, from checkpoints. */
function macOf(
  key: Buffer,
  organizationId: string,
  kind: number | 'checkpoint',
  { sequence, hash }: ChainPlace,
): string {
  const facts = JSON.stringify([organizationId, kind, sequence, hash]);
  return createHmac('sha256', key).update(facts).digest('hex');
}

function equals(found: string | null, expected: string): boolean {
  const [left, right] = [Buffer.from(found ?? ''), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function openOrFail(open: () => Buffer): Buffer {
  try {
    return open();
  } catch (cause) {
    throw new ProbityError(
      'unavailable',
      "The key of the organization's audit log cannot be opened with this encryption key.",
      { cause, headers: { 'Retry-After': '5' } },
    );
  }
}
