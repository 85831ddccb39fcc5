import { addressNetworks } from './address-subject.ts';

/** Limits of {@link Places}. */
export interface PlacesOptions<Item> {
  /** Places of all clients. */
  readonly total: number;
  /** Places of one client address, or /64 network of IPv6. */
  readonly perAddress: number;
  /** Whether the item waits for its client, so that it may be ended in favor of another network's. */
  isEndable(item: Item): boolean;
  end(item: Item): void;
}

/** A place that an item holds until it leaves, in a list of the places of its network. */
export class Place<Item> {
  readonly item: Item;
  /** Whether the item was within the limits. */
  readonly isWithin: boolean;
  /** The innermost network; null once the place was given back. */
  network: Network<Item> | null = null;
  before: Place<Item> | null = null;
  after: Place<Item> | null = null;

  constructor(item: Item, isWithin: boolean) {
    this.item = item;
    this.isWithin = isWithin;
  }
}

/**
 * Places that clients hold, such as connections. When all are taken, an item ends one of the network
 * that holds most, if it holds more than the item's own; within one network the same holds among its
 * inner networks ({@link addressNetworks}). So a client that is divided among many networks of one
 * provider takes no place from another. Taking and giving back a place costs the same, however many
 * are taken.
 */
export class Places<Item> {
  readonly #options: PlacesOptions<Item>;
  readonly #all = new Network<Item>('', null);

  constructor(options: PlacesOptions<Item>) {
    this.#options = options;
  }

  /**
   * Gives the item a place.
   * @param address null for an unknown one; undefined for a client that only `total` counts, and whose
   *   items are never ended
   * @returns its place, which it holds until `leave` even when it is beyond the limits
   */
  take(item: Item, address: string | null | undefined): Place<Item> {
    return this.takeIn(item, address === undefined ? [] : addressNetworks(address));
  }

  /** The same in networks that are known, from the widest on. */
  takeIn(item: Item, names: readonly string[]): Place<Item> {
    const place = new Place(item, this.#hasRoom(names));
    let network = this.#all;
    for (const name of names) network = network.open(name);
    network.add(place);
    return place;
  }

  /** Gives the place back; no effect when it was given back before. */
  leave(place: Place<Item>): void {
    place.network?.remove(place);
  }

  get size(): number {
    return this.#all.size;
  }

  #hasRoom(names: readonly string[]): boolean {
    const { total, perAddress, end } = this.#options;
    let own: Network<Item> | undefined = this.#all;
    for (const name of names) own = own?.inner.get(name);
    if (own && own !== this.#all && own.size >= perAddress) return false;
    if (this.size < total) return true;
    const ended = this.#findEndable(names);
    if (ended === undefined) return false;
    this.leave(ended);
    end(ended.item);
    return this.size < total;
  }

  #findEndable(names: readonly string[]): Place<Item> | undefined {
    let outer: Network<Item> | undefined = this.#all;
    for (const name of [...names, '']) {
      const own: Network<Item> | undefined = outer.inner.get(name);
      const found = outer.findInner(this.#options.isEndable, (own?.size ?? 0) + 1);
      if (found !== undefined || !own) return found;
      outer = own;
    }
    return undefined;
  }
}

/** A network with the items of its clients, or of its inner networks. */
class Network<Item> {
  readonly inner = new Map<string, Network<Item>>();
  /** Items of this network and its inner ones. */
  size = 0;
  readonly #name: string;
  readonly #outer: Network<Item> | null;
  // A list, not a Set: V8 links each table of a Set to the one that replaces it, so that a table which has grown old
  // keeps all that follow, with the requests in them, until the next collection of everything.
  /** Its places in the order in which they were taken. */
  #first: Place<Item> | null = null;
  #last: Place<Item> | null = null;
  /** The inner networks by their size. */
  readonly #bySize = new Map<number, Set<Network<Item>>>();
  #largest = 0;

  constructor(name: string, outer: Network<Item> | null) {
    this.#name = name;
    this.#outer = outer;
  }

  open(name: string): Network<Item> {
    let network = this.inner.get(name);
    if (network === undefined) {
      network = new Network(name, this);
      this.inner.set(name, network);
    }
    return network;
  }

  add(place: Place<Item>): void {
    place.network = this;
    place.before = this.#last;
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    this.#grow(1);
  }

  remove(place: Place<Item>): void {
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    place.network = null;
    place.before = null;
    place.after = null;
    this.#grow(-1);
  }

  /** An endable item of an inner network of more than `least` items, of the largest first. */
  findInner(isEndable: (item: Item) => boolean, least: number): Place<Item> | undefined {
    for (let size = this.#largest; size > least; size -= 1) {
      for (const network of this.#bySize.get(size) ?? []) {
        const found = network.#find(isEndable);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #find(isEndable: (item: Item) => boolean): Place<Item> | undefined {
    for (let place = this.#first; place; place = place.after) {
      if (isEndable(place.item)) return place;
    }
    return this.findInner(isEndable, 0);
  }

  #grow(by: 1 | -1): void {
    const outer = this.#outer;
    if (outer) outer.#moveInner(this, by);
    this.size += by;
    if (outer) outer.#grow(by);
  }

  #moveInner(network: Network<Item>, by: 1 | -1): void {
    const { size } = network;
    const former = this.#bySize.get(size);
    former?.delete(network);
    const isLast = former?.size === 0;
    if (isLast) this.#bySize.delete(size);
    const next = size + by;
    if (next === 0) this.inner.delete(network.#name);
    else {
      // Each request moves networks twice: a set that has become empty serves again.
      const others = this.#bySize.get(next) ?? (isLast ? former : new Set<Network<Item>>());
      this.#bySize.set(next, others.add(network));
    }
    if (next > this.#largest || !this.#bySize.has(this.#largest)) this.#largest = next;
  }
}
