import { createJobSignal } from '../jobs/signal.ts';
import { isPresent } from '../tenants/memory.ts';
import { runAfterCommit } from './after-commit.ts';
import type { Database, DatabaseSession, KernelOperations } from './database.ts';
import { createMemoryKernel } from './memory-kernel.ts';
import type { MemoryTable, MemoryTableDefinition } from './memory-table.ts';

/** A session of the database in memory. */
export interface MemorySession extends DatabaseSession {
  /** The rows of the declared table. */
  table<Row extends object>(definition: MemoryTableDefinition<Row>): MemoryTable<Row>;
  /** Declarations of all tables that were ever used, of every package. */
  tables(): readonly MemoryTableDefinition[];
}

type Rows = Map<string, object>;
const DELETED = Symbol('deleted');
type Changes = Map<string, object | typeof DELETED>;

/** The committed rows by table, and the declarations of the tables. */
interface Stored {
  readonly rows: Map<string, Rows>;
  readonly definitions: Map<string, MemoryTableDefinition>;
}

/**
 * A database in memory: the reference implementation of the storage contracts, and a real store for
 * tests and for hosts without persistence. Transactions run one after another; their writes become
 * visible to others at their commit. Rows are copied in and out.
 */
export function createMemoryDatabase(): Database<MemorySession> {
  const stored: Stored = { rows: new Map(), definitions: new Map() };
  let tail: Promise<unknown> = Promise.resolve();
  let closed = false;

  function transaction<T>(work: (session: MemorySession) => Promise<T>): Promise<T> {
    const run = async () => {
      if (closed) throw new Error('The database is closed.');
      const changes = new Map<string, Changes>();
      const callbacks: Array<() => void> = [];
      let open = true;
      const session = createSession(
        stored,
        changes,
        (callback) => callbacks.push(callback),
        () => open,
      );
      const result = await work(session).finally(() => {
        open = false;
      });
      apply(stored.rows, changes);
      runAfterCommit(callbacks);
      return result;
    };
    const result = tail.then(run);
    tail = result.catch(() => undefined);
    return result;
  }

  const jobSignal = createJobSignal();
  const kernels = new WeakMap<MemorySession, KernelOperations>();
  const reader = createSession(
    stored,
    null,
    (callback) => callback(),
    () => !closed,
  );
  return {
    reader,
    jobSignal,
    transaction,
    // Transactions are serial already: the lock only has to report whether the tenant exists.
    async lockTenant(session, tenantId) {
      return isPresent(session, tenantId);
    },
    kernel(session) {
      const kernel = kernels.get(session) ?? createMemoryKernel(session, jobSignal);
      kernels.set(session, kernel);
      return kernel;
    },
    async ping() {
      if (closed) throw new Error('The database is closed.');
    },
    async close() {
      closed = true;
      await tail;
    },
  };
}

/** A session on the committed rows plus the changes of its transaction; read-only without those. */
function createSession(
  { rows, definitions }: Stored,
  changes: Map<string, Changes> | null,
  afterCommit: (callback: () => void) => void,
  isOpen: () => boolean,
): MemorySession {
  return {
    afterCommit,
    table<Row extends object>(definition: MemoryTableDefinition<Row>): MemoryTable<Row> {
      if (!isOpen()) throw new Error('The transaction has ended.');
      register(definitions, definition);
      const { name } = definition;
      const changed = changes ? getOrCreate(changes, name) : null;
      return createTable<Row>(() => rows.get(name), changed, isOpen);
    },
    tables: () => [...definitions.values()],
  };
}

/** Two declarations of one name must agree, else the rows of a deleted tenant could remain. */
function register(
  definitions: Map<string, MemoryTableDefinition>,
  added: MemoryTableDefinition,
): void {
  const known = definitions.get(added.name);
  if (!known) definitions.set(added.name, added);
  else if (known.tenantKey !== added.tenantKey) {
    throw new Error(`The table ${added.name} is declared twice, with different tenant keys.`);
  }
}

function createTable<Row extends object>(
  rows: () => Rows | undefined,
  changed: Changes | null,
  isOpen: () => boolean,
): MemoryTable<Row> {
  const find = (id: string) => {
    const own = changed?.get(id);
    return own === DELETED ? undefined : (own ?? rows()?.get(id));
  };
  const write = (id: string, value: object | typeof DELETED) => {
    if (!changed) throw new Error('Writes need a transaction.');
    if (!isOpen()) throw new Error('The transaction has ended.');
    changed.set(id, value);
  };
  function* current(): Generator<[id: string, row: object]> {
    for (const id of rows()?.keys() ?? []) {
      const row = find(id);
      if (row) yield [id, row];
    }
    for (const [id, row] of changed ?? []) {
      if (row !== DELETED && !rows()?.has(id)) yield [id, row];
    }
  }
  return {
    get(id) {
      const row = find(id);
      return row && structuredClone(row as Row);
    },
    filter(matches) {
      const found: Row[] = [];
      for (const [, row] of current()) {
        if (matches(row as Row)) found.push(structuredClone(row as Row));
      }
      return found;
    },
    put: (id, row) => write(id, structuredClone(row)),
    delete(id) {
      const existed = find(id) !== undefined;
      if (existed) write(id, DELETED);
      return existed;
    },
    deleteWhere(matches) {
      for (const [id, row] of [...current()]) if (matches(row as Row, id)) write(id, DELETED);
    },
  };
}

function apply(committed: Map<string, Rows>, changes: ReadonlyMap<string, Changes>): void {
  for (const [name, changed] of changes) {
    const rows = getOrCreate(committed, name);
    for (const [id, row] of changed) {
      if (row === DELETED) rows.delete(id);
      else rows.set(id, row);
    }
  }
}

function getOrCreate<Value extends Map<unknown, unknown>>(
  map: Map<string, Value>,
  name: string,
): Value {
  let value = map.get(name);
  if (!value) {
    value = new Map() as Value;
    map.set(name, value);
  }
  return value;
}
