/**
 * Viewers of one event that keep a map from the frames of the feed, in either protocol, through any number of front
 * doors. A viewer reconnects and resumes whenever its socket ends.
 *
 * States of a viewer: asking (for a ticket) → open → asking; ended by `stop`. Failure while asking: no front door
 * answers; the viewer asks again after RETRY_MS.
 */
import { decodeKept } from '@parterre/shared/protocol/wire';
import { WebSocket } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: a client reads frames without types.
type Frame = any;

export type ViewerOptions = {
  name: string;
  eventKey: string;
  urls: readonly string[];
  /** The origin that asks for a ticket; null for a server, which presents `token` itself. */
  origin: string | null;
  token: string;
  binary: boolean;
  /** Returns a random number in [0, 1). */
  chance: () => number;
};

const RETRY_MS = 100;

export class MapViewer {
  /** The version of the last frame. */
  version = 0;
  scopes = { hidden: [] as string[], closed: [] as string[] };
  ga: Record<string, { free: number }> = {};
  /** Faults in the frames that it got. */
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

  /** Ends the socket at once, as a lost network does. */
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
        // No front door answers there now.
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
    // Frames are handled one after the other, since a binary snapshot may first fetch its list of units.
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

  /** Fetches the list of units. Another id means that the plan has changed and the next snapshot is on its way. */
  private async learnUnits(url: string, { u, n }: Frame): Promise<void> {
    const list = await this.ask(url, 'GET', 'units').catch(() => null);
    if (list?.id === u) this.units = list.units;
    else if (list !== null) this.units = [];
    if (list?.id === u && list.units.length !== n)
      this.complaints.push(`the snapshot has ${n} units, the list ${list.units.length} labels`);
    // A snapshot without its list has no meaning: reconnect without a version and get a new one.
    if (list === null) {
      this.version = 0;
      this.cut();
    }
  }

  private note(kind: 'snapshot' | 'resumed' | 'delta', version: number): void {
    this.heard[kind]++;
    if (version < this.version) this.complaints.push(`${kind} of version ${version} after version ${this.version}`);
    this.version = version;
  }
}
