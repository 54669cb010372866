/**
 * Viewers of one event that keep a map as the frames tell them, in either protocol, through any number of front doors: they come back
 * and resume whenever their socket ends, whoever ended it.
 *
 * States of a viewer: asking (for a ticket) → open → asking; ended by `stop`. Failure of asking: no front door answers just now;
 * it asks again after RETRY_MS.
 */
import { decodeKept } from '@parterre/shared/wire';
import { WebSocket } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: frames are read as clients do, without types.
type Frame = any;

export type ViewerOptions = {
  name: string;
  eventKey: string;
  urls: readonly string[];
  /** What asks for a ticket; null for a server, which comes with `token` itself. */
  origin: string | null;
  token: string;
  binary: boolean;
  /** A number below 1, for what it does by chance. */
  chance: () => number;
};

const RETRY_MS = 100;

export class MapViewer {
  /** Of the last frame. */
  version = 0;
  scopes = { hidden: [] as string[], closed: [] as string[] };
  ga: Record<string, { free: number }> = {};
  /** What is wrong with what it was told. */
  readonly complaints: string[] = [];
  readonly heard = { snapshot: 0, resumed: 0, delta: 0, allocation: 0, sockets: 0 };
  private usual = 'free';
  private seats: Record<string, string> = Object.create(null);
  private units: string[] = [];
  private socket: WebSocket | null = null;
  private stopped = false;
  private readonly done: Promise<void>;

  constructor(readonly options: ViewerOptions) {
    this.done = this.run();
  }

  statusOf(label: string): string {
    return this.seats[label] ?? this.usual;
  }

  /** As when its network is gone. */
  cut(): void {
    this.socket?.terminate();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cut();
    await this.done;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.watch(this.options.urls[Math.floor(this.options.chance() * this.options.urls.length)]!);
      } catch {
        // Nobody answers there just now.
      }
      if (!this.stopped) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  private async watch(url: string): Promise<void> {
    const { eventKey, token, origin, binary } = this.options;
    const offer = binary ? ['parterre.v1.bin'] : ['parterre.v1'];
    if (this.version > 0) offer.push(`sv.${this.version}`);
    if (origin !== null) {
      const { protocols } = await this.ask(url, 'POST', 'subscribe-tickets');
      offer.push(...protocols.filter((name: string) => name.startsWith('tkt.')));
    }
    const path = origin === null ? `/v1/events/${eventKey}/feed` : `/pub/events/${eventKey}/subscribe`;
    const headers = origin === null ? { Authorization: `Bearer ${token}` } : {};
    const socket = new WebSocket(url.replace('http', 'ws') + path, offer, { headers });
    this.socket = socket;
    // One after the other, since a list of units is fetched on the way.
    let heard = Promise.resolve();
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      heard = heard.then(() =>
        isBinary ? this.hearBinary(url, decodeKept<Frame>(data)) : this.hear(JSON.parse(data.toString())),
      );
    });
    socket.on('error', () => {});
    socket.on('open', () => this.heard.sockets++);
    await new Promise((resolve) => socket.on('close', resolve));
    await heard;
  }

  private async ask(url: string, method: string, what: string): Promise<Frame> {
    const { eventKey, token, origin } = this.options;
    const side = origin === null ? 'v1' : 'pub';
    const response = await fetch(`${url}/${side}/events/${eventKey}/${what}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(origin !== null && { Origin: origin }) },
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`${what}: ${response.status}`);
    return response.json();
  }

  private hear(frame: Frame): void {
    if (frame.type === 'snapshot') {
      this.usual = frame.default;
      this.seats = Object.assign(Object.create(null), frame.seats);
      this.scopes = { hidden: frame.hidden, closed: frame.closed };
      this.ga = frame.ga;
      this.note('snapshot', frame.snapshotVersion);
    } else if (frame.type === 'delta') {
      for (const { label, status } of frame.changes) this.seats[label] = status;
      Object.assign(this.ga, frame.ga);
      this.note(frame.resumed ? 'resumed' : 'delta', frame.snapshotVersion);
    } else if (frame.type === 'allocation') {
      this.heard.allocation++;
    }
  }

  private async hearBinary(url: string, frame: Frame): Promise<void> {
    const words = ['free', 'held', 'booked', this.options.origin === null ? 'blocked' : 'not_for_sale'];
    if (frame.t === 's') {
      await this.learnUnits(url, frame);
      this.seats = Object.create(null);
      for (const [unit, label] of this.units.entries()) {
        this.seats[label] = words[(frame.s[unit >> 2] >> ((unit & 3) << 1)) & 3]!;
      }
      this.scopes = { hidden: frame.hidden, closed: frame.closed };
      this.ga = frame.ga;
      this.note('snapshot', frame.v);
    } else if (frame.t === 'd') {
      for (let at = 0; at < frame.c.length; at += 2) this.seats[this.units[frame.c[at]]!] = words[frame.c[at + 1]]!;
      Object.assign(this.ga, frame.ga);
      this.note(frame.resumed ? 'resumed' : 'delta', frame.v);
    } else if (frame.t === 'a') {
      this.heard.allocation++;
    }
  }

  /** The list may be another one already: then the next snapshot is on its way. */
  private async learnUnits(url: string, { u, n }: Frame): Promise<void> {
    const list = await this.ask(url, 'GET', 'units').catch(() => null);
    if (list?.id === u) this.units = list.units;
    else if (list !== null) this.units = [];
    if (list?.id === u && list.units.length !== n) this.complaints.push(`${n} units, and ${list.units.length} labels`);
    // Without its list a snapshot says nothing: begin again.
    if (list === null) {
      this.version = 0;
      this.cut();
    }
  }

  private note(kind: 'snapshot' | 'resumed' | 'delta', version: number): void {
    this.heard[kind]++;
    if (version < this.version) this.complaints.push(`${kind} of ${version} after ${this.version}`);
    this.version = version;
  }
}
