/** Watches the NATS connection: reports its loss and return, and lets callers wait for its return. */
import type { NatsConnection } from '@nats-io/transport-node';

export type Link = {
  isUp(): boolean;
  /** Resolves at once while the connection is up, otherwise when it is back. */
  connected(): Promise<void>;
};

export function watchLink(nats: NatsConnection, on: { onLost(): void; onRestored(): void }): Link {
  let up = true;
  let waiting: (() => void)[] = [];

  async function watch(): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect') {
        up = false;
        on.onLost();
      }
      if (type === 'reconnect') {
        up = true;
        on.onRestored();
        for (const resolve of waiting.splice(0)) resolve();
      }
    }
    waiting = [];
  }

  void watch();
  return {
    isUp: () => up,
    connected: () => (up ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
