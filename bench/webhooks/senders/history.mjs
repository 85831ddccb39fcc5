// The history of peers: one row for each delivery, through a pool of 8.
import { importPeer } from '../peers.mjs';

export async function createHistory(url, peers) {
  const { default: pg } = await importPeer(peers, 'pg');
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query(
    `create table if not exists history (
      id bigserial primary key, event_id text not null, url text not null, status int not null,
      answer text not null, sent_at timestamptz not null default now())`,
  );
  return {
    add: ({ id, url: target, status, answer }) =>
      pool.query('insert into history (event_id, url, status, answer) values ($1, $2, $3, $4)', [
        id,
        target,
        status,
        answer,
      ]),
    close: () => pool.end(),
  };
}
