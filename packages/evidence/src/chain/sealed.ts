import type { SealedValues } from '@probity/core';
import { createSealedValues } from '@probity/core/internal';
import type { EvidenceStorage } from '../storage.ts';
import { chainPurpose } from './seal.ts';

/** The sealed ends of chains, for rotation of the encryption key. */
export function sealedEvidenceHeads(storage: EvidenceStorage): SealedValues {
  return createSealedValues(storage, {
    name: 'evidence_heads',
    purposeOf: chainPurpose,
    list: storage.listSealedEvidenceHeads,
    replaceOne: (tx, value) => tx.replaceSealedEvidenceHead(value),
  });
}
