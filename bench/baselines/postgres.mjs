/**
 * node:http and PostgreSQL: a row a seat. Hold and book are one transaction each, which locks its rows with SELECT …
 * FOR UPDATE, over a pool of connections with prepared statements; fsync and synchronous_commit are on. A hold has an
 * end, after which its seats are free again. It lacks the points of json-server.mjs, and prices, channels, ticket
 * releases, areas with a quantity, a change feed, an audit trail, a replica. Argument: the folder of the server's
 * socket.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { serveSeats } from './json-server.mjs';

const holdTtlMs = 15 * 60_000;
const connections = 24;

const pool = new pg.Pool({ host: process.argv[2], user: 'postgres', database: 'postgres', max: connections });
await pool.query(`
  CREATE TABLE seats (event text, label text, hold_id uuid, held_until bigint, booking_ref text, PRIMARY KEY (event, label))
    WITH (fillfactor = 50);
  CREATE TABLE holds (hold_id uuid PRIMARY KEY, event text NOT NULL, labels text[] NOT NULL)`);

const lockSeats = {
  name: 'lock-seats',
  text: 'SELECT booking_ref, held_until FROM seats WHERE event = $1 AND label = ANY($2) ORDER BY label FOR UPDATE',
};
const holdSeats = {
  name: 'hold-seats',
  text: `WITH seat AS (UPDATE seats SET hold_id = $3, held_until = $4 WHERE event = $1 AND label = ANY($2))
    INSERT INTO holds VALUES ($3, $1, $2)`,
};
const lockHold = {
  name: 'lock-hold',
  text: `SELECT seats.label, seats.held_until FROM holds
    JOIN seats ON seats.event = holds.event AND seats.label = ANY(holds.labels) AND seats.hold_id = holds.hold_id
    WHERE holds.hold_id = $2 AND holds.event = $1 AND seats.booking_ref IS NULL ORDER BY seats.label FOR UPDATE OF seats`,
};
const bookSeats = {
  name: 'book-seats',
  text: `WITH hold AS (DELETE FROM holds WHERE hold_id = $3)
    UPDATE seats SET booking_ref = $4 WHERE event = $1 AND label = ANY($2)`,
};

serveSeats({
  async open(event, labels) {
    await pool.query('INSERT INTO seats (event, label) SELECT $1, unnest($2::text[])', [event, labels]);
  },
  hold: (event, labels) =>
    transaction(async (client) => {
      const now = Date.now();
      const { rows } = await client.query({ ...lockSeats, values: [event, labels] });
      const isFree = (seat) =>
        seat.booking_ref === null && (seat.held_until === null || Number(seat.held_until) <= now);
      if (rows.length !== labels.length || !rows.every(isFree)) return null;
      const holdId = randomUUID();
      await client.query({ ...holdSeats, values: [event, labels, holdId, now + holdTtlMs] });
      return holdId;
    }),
  book: (event, holdId, bookingRef) =>
    transaction(async (client) => {
      const { rows } = await client.query({ ...lockHold, values: [event, holdId] });
      if (rows.length === 0 || rows.some((seat) => Number(seat.held_until) <= Date.now())) return null;
      const labels = rows.map(({ label }) => label);
      await client.query({ ...bookSeats, values: [event, labels, holdId, bookingRef] });
      return labels;
    }),
});

async function transaction(run) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
