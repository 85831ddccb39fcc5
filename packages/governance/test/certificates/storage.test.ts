import { storageTargets } from '@probity/core/testing';
import { describeCertificateStorage } from '../../src/testing.ts';
import { certificateStorageOf, targets } from '../world.ts';

for (const target of storageTargets(targets, certificateStorageOf)) {
  describeCertificateStorage(target);
}
