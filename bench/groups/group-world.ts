/** Parterre with a group of events on sale, and its sales under load: of single events, of the group, or of both. */
import { jetstreamManager } from '@nats-io/jetstream';
import { names } from '@parterre/shared/protocol/subjects';
import { connectTo } from '../../test/support/servers/nats.ts';
import { partitionsOfTests, startParterre } from '../../test/support/servers/server.ts';
import type { GroupOnSale, Seats } from '../load/buyers.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import { type Generator, startGenerator } from '../load/generator.ts';
import { stillShare, untilStill } from '../load/idle.ts';
import type { LoadTask } from '../load/load.ts';
import { post } from '../load/post.ts';
import { labelsForSale, processesIn, publishHall } from '../sales/parterre.ts';

export type GroupWorld = Awaited<ReturnType<typeof openGroupWorld>>;

/** The seats of one run: a part for each load, so that no load asks for a seat that another has sold. */
export type Run = { group: GroupOnSale; singles: Seats; groups: Seats };

/** The figures of one turn. `sales` are holds with their bookings. */
export type Turn = {
  singleSales: number;
  groupSales: number;
  seconds: number;
  /** Seconds by process. */
  cpu: Record<string, number>;
  /** Messages that the turn appended to the journals. */
  messages: number;
};

export type TurnOptions = { singles: number; groups: number; seconds: number };

const origin = 'https://shop.example';
const firstNight = Date.parse('2031-05-01T18:00:00Z');
const nightMs = 86_400_000;

export async function openGroupWorld() {
  const env = { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' };
  const parterre = await startParterre({ env });
  const nats = await connectTo(parterre.natsUrl);
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const { url, demo } = parterre;
  const token = demo.keys.secretTest;
  const call = <T>(path: string, body: unknown): Promise<T> => post(`${url}${path}`, body, token);
  const chartId = await publishHall(url, token);
  const processes = () => processesIn(parterre.dataDir);
  const still = await stillShare(processes());
  // A generator for each load: both run at once.
  const generators = { singles: startGenerator(), groups: startGenerator() };

  /** The messages of all journals so far. */
  async function messages(): Promise<number> {
    const streams = Array.from({ length: partitionsOfTests }, (_, at) => names.journalStream(at));
    const infos = await Promise.all(streams.map((stream) => manager.streams.info(stream)));
    return infos.reduce((sum, { state }) => sum + state.last_seq, 0);
  }

  /** Opens `count` events as a group on sale, and sells the first seat of each. */
  async function openRun(count: number, buyers: number): Promise<Run> {
    const labels = labelsForSale();
    const events: string[] = [];
    for (let night = 0; night < count; night++) {
      const body = { chartId, name: `Night ${night + 1}`, startsAt: firstNight + night * nightMs };
      const { key } = (await call<{ meta: { key: string } }>('/v1/events', body)).meta;
      const at = `/v1/events/${key}`;
      const { holdId } = await call<{ holdId: string }>(`${at}/hold`, { labels: labels.slice(0, 1) });
      await call(`${at}/book`, { holdId, bookingRef: `first-${key}` });
      events.push(key);
    }
    const groups = '/v1/performance-groups';
    const made = await call<{ performanceGroup: { key: string } }>(groups, { name: 'Run', eventKeys: events });
    const { key } = made.performanceGroup;
    await call(`${groups}/${key}/activate`, { expectedRevision: 1 });
    const sessions: string[] = [];
    for (let buyer = 0; buyer < buyers; buyer++) {
      const asked = { includePublic: true, allowedOrigin: origin };
      const { token: session } = await call<{ token: string }>(`${groups}/${key}/buyer-access-sessions`, asked);
      sessions.push(session);
    }
    const half = Math.floor(labels.length / 2);
    return {
      group: { key, origin, sessions },
      singles: { events, labels: labels.slice(1, half), next: 0 },
      groups: { events, labels: labels.slice(half), next: 0 },
    };
  }

  /** Sells for some seconds, on so many connections for single events and for the group. */
  async function turn(run: Run, { singles, groups, seconds }: TurnOptions): Promise<Turn> {
    await untilStill(processes(), still);
    const before = cpuSeconds(processes());
    const written = await messages();
    const ports = [Number(new URL(url).port)];
    const sell = async (generator: Generator, connections: number, seats: Seats, task: LoadTask): Promise<number> => {
      if (connections === 0) return 0;
      const result = await generator.run({ ports, token, connections, seconds, seats, task });
      seats.next = result.next;
      return result.successes / 2;
    };
    const [singleSales, groupSales] = await Promise.all([
      sell(generators.singles, singles, run.singles, { type: 'sales' }),
      sell(generators.groups, groups, run.groups, { type: 'group sales', group: run.group }),
    ]);
    await untilStill(processes(), still);
    const cpu = cpuBetween(before, cpuSeconds(processes()));
    return { singleSales, groupSales, seconds, cpu, messages: (await messages()) - written };
  }

  return {
    openRun,
    turn,
    async stop(): Promise<void> {
      generators.singles.stop();
      generators.groups.stop();
      await nats.close();
      await parterre.stop();
    },
  };
}
