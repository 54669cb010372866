/**
 * A TCP link between a service and a server that a test can cut, freeze or slow down.
 *
 * States: open (bytes pass, each chunk after `slow`'s delay), frozen (connections stand and new ones are accepted; no
 * byte passes, or no byte from the server), cut (connections are destroyed, new ones at once). Bytes on their way into
 * a frozen link arrive when it is restored. Bytes on their way into a cut link are lost. A dead server ends the
 * connection to it.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export class Link {
  readonly url: string;
  private state: 'open' | 'frozen' | 'frozen back' | 'cut' = 'open';
  private delayMs = 0;
  private readonly sockets = new Set<Socket>();
  private waiting: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    const { port } = server.address() as { port: number };
    this.url = `${target.protocol}//127.0.0.1:${port}`;
    server.on('connection', (socket) => this.take(socket));
  }

  /** A link to `target`, such as `nats://127.0.0.1:4222`, on a free port of its own. */
  static async to(target: string): Promise<Link> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new Link(server, new URL(target));
  }

  cut(): void {
    this.state = 'cut';
    this.destroyAll();
  }

  freeze(direction: 'both' | 'back' = 'both'): void {
    this.state = direction === 'both' ? 'frozen' : 'frozen back';
  }

  /** Each chunk waits this long, one after the other, which costs time and bandwidth. 0 ends it. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  restore(): void {
    this.state = 'open';
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(near: Socket): void {
    if (this.state === 'cut') return void near.destroy();
    const far = connect({ host: this.target.hostname, port: Number(this.target.port), noDelay: true });
    near.setNoDelay(true);
    near.pipe(this.passage('there')).pipe(far);
    far.pipe(this.passage('back')).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      // An error is always followed by a close.
      socket.on('error', () => {});
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }

  private passage(direction: 'there' | 'back'): Transform {
    return new Transform({
      transform: (chunk: Buffer, _, done: TransformCallback) => {
        void this.passes(direction).then(() => done(null, chunk));
      },
    });
  }

  private async passes(direction: 'there' | 'back'): Promise<void> {
    if (this.delayMs > 0) await pause(this.delayMs);
    while (this.state === 'frozen' || this.state === `frozen ${direction}`)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private destroyAll(): void {
    for (const socket of this.sockets) socket.destroy();
    for (const goOn of this.waiting.splice(0)) goOn();
  }
}
