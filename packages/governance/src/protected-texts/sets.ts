import type { Runtime } from '@probity/core';
import type { ProtectedTexts } from '@probity/pipeline';
import { prepareProtectedTexts } from '@probity/pipeline/contamination';
import { LRUCache } from 'lru-cache';
import { openProtectedText } from './protected-texts.ts';
import type { ProtectedTextStorage } from './storage.ts';
import type { StoredProtectedText } from './types.ts';

/** Organizations, and UTF-16 code units of their texts, whose prepared form stays in memory. */
const REMEMBERED_ORGANIZATIONS = 1_000;
const REMEMBERED_UNITS = 20_000_000;

/** The protected texts of organizations, as scans compare with them. */
export interface ProtectedTextSets {
  /**
   * Those of an organization; undefined for none. They are remembered for as long as the number read at each call, their
   * generation, stays the same: a change takes effect on every instance with the next call.
   */
  current(organizationId: string): Promise<ProtectedTexts | undefined>;
}

interface Remembered {
  readonly generation: number;
  readonly texts: Promise<ProtectedTexts | undefined>;
}

/** Creates the sets. */
export function createProtectedTextSets(
  runtime: Pick<Runtime, 'secretBox'>,
  storage: ProtectedTextStorage,
): ProtectedTextSets {
  const remembered = new LRUCache<string, Remembered>({
    max: REMEMBERED_ORGANIZATIONS,
    maxSize: REMEMBERED_UNITS,
  });

  async function prepare(
    stored: readonly StoredProtectedText[],
  ): Promise<ProtectedTexts | undefined> {
    if (stored.length === 0) return undefined;
    const textsOf = (kind: StoredProtectedText['kind']) =>
      stored.filter((each) => each.kind === kind).map((each) => openProtectedText(runtime, each));
    return prepareProtectedTexts({ protected: textsOf('text'), canaries: textsOf('canary') });
  }

  return {
    async current(organizationId) {
      // Read first: texts that are newer than their generation are only prepared once more.
      const generation = await storage.protectedTextGeneration(organizationId);
      if (generation === 0) return undefined;
      const known = remembered.get(organizationId);
      if (known?.generation === generation) return known.texts;
      const stored = await storage.readProtectedTexts(organizationId);
      const meanwhile = remembered.get(organizationId);
      if (meanwhile?.generation === generation) return meanwhile.texts;
      const texts = prepare(stored);
      const size = stored.reduce((sum, { length }) => sum + length, 1);
      remembered.set(organizationId, { generation, texts }, { size });
      // What failed is tried again.
      texts.catch(() => remembered.delete(organizationId));
      return texts;
    },
  };
}
