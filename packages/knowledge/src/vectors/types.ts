/** A vector of a nugget. */
export interface VectorEntry {
  /** Id of the nugget. */
  readonly id: string;
  readonly vector: Float32Array;
  /** Category of the nugget; default none. */
  readonly category?: string | null | undefined;
}

/** A nugget that is near to a vector. */
export interface VectorMatch {
  readonly id: string;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** Changes that a collection takes at once; an id is in one of the two lists only. */
export interface VectorChanges {
  /** Replace the vectors of their ids, or add them. */
  readonly upserts: readonly VectorEntry[];
  /** Ids that are removed where they are there. */
  readonly removals: readonly string[];
  /** The position of the collection that the changes follow. */
  readonly after: number;
  /** How far the collection follows the knowledge base behind these changes. */
  readonly sequence: number;
}

/** Which vectors are searched: those that match every member. */
export interface VectorFilter {
  readonly category?: string | undefined;
}

/**
 * Keeps the vectors of knowledge bases and finds the nearest. It is derived from the storage, and can be built anew
 * from it: a collection says how far it follows, and what is behind that is given to it again.
 *
 * A collection is named by an organization and the embedder that made its vectors; all of its vectors have one length.
 * Any number of processes may use it at once.
 */
export interface VectorStore {
  /** The sequence of the last changes of a collection; 0 for one that does not exist. */
  position(collection: string): Promise<number>;
  /**
   * Applies changes as a whole, also when the process is killed meanwhile, and returns true. Where the collection is
   * not at the position that they follow, since another writer was faster, nothing changes and it returns false.
   * @throws RangeError for a vector that has another length than those of the collection
   */
  apply(collection: string, changes: VectorChanges): Promise<boolean>;
  /**
   * The `count` nearest by cosine, nearest first, equally near ones by id; exact. A vector of zeros is near to none,
   * and none to it. The event loop is not kept from turning meanwhile.
   * @throws RangeError for a vector that has another length than those of the collection
   */
  search(
    collection: string,
    vector: Float32Array,
    count: number,
    filter?: VectorFilter,
  ): Promise<VectorMatch[]>;
  /** The names of the collections. */
  collections(): Promise<string[]>;
  /** Removes a collection; nothing happens where there is none. */
  drop(collection: string): Promise<void>;
  /** Gives back what the store holds. */
  close(): Promise<void>;
}

/** @throws RangeError when a vector does not have the length of its collection */
export function requireLength(vector: Float32Array, length: number): void {
  if (vector.length === length) return;
  throw new RangeError(
    `The vector has ${vector.length} numbers, those of its collection ${length}.`,
  );
}
