/**
 * Keeps one process running: starts it, starts it again when it dies, and stops it within a deadline. Two starts are at
 * least 100 ms apart, and this time doubles to 2 s while the process keeps dying. A process that ran for longer starts
 * again at once, since its callers wait. States: starting → running ⇄ waiting →
 * stopping → gone.
 */
import { setTimeout as pause } from 'node:timers/promises';

export type LiveProcess = {
  pid: number;
  /** The address of its /healthz, /readyz and /metrics; null without one. */
  healthUrl: string | null;
  /** Settles with how it ended, once it is gone. */
  exited: Promise<string>;
  /** Sends the signal; `exited` tells when it took effect. */
  signal(signal: NodeJS.Signals): void;
};

export type SupervisedProgram = {
  name: string;
  /** Resolves when the process is ready for work; rejects, with no process left behind, when it does not get there. */
  start(): Promise<LiveProcess>;
};

export type Watcher = {
  say(line: string): void;
  /** A process is ready, or (null) gone. */
  changed(name: string, live: LiveProcess | null): void;
};

export type Supervised = {
  name: string;
  /** SIGTERM, then SIGKILL after `deadlineMs`; resolves when the process is gone. */
  stop(deadlineMs: number): Promise<void>;
  /** SIGKILL at once, for an impatient second Ctrl-C. */
  kill(): void;
};

/** From start to start. */
const backoffMsMin = 100;
const backoffMsMax = 2_000;
/** A process that lived this long started well: the next pause is the shortest again. */
const goodLifeMs = 10_000;

/**
 * Resolves when the first start has succeeded; rejects when it fails. After the first start it tries again until
 * `stop`.
 */
export async function supervise(part: SupervisedProgram, watcher: Watcher): Promise<Supervised> {
  const stopping = new AbortController();
  let startedAt = 0;
  let live: LiveProcess | null = await started();
  const loop = keepRunning();

  async function started(): Promise<LiveProcess> {
    startedAt = performance.now();
    const process = await part.start();
    watcher.changed(part.name, process);
    return process;
  }

  async function keepRunning(): Promise<void> {
    let backoffMs = backoffMsMin;
    while (live) {
      const since = performance.now();
      const how = await live.exited;
      live = null;
      watcher.changed(part.name, null);
      if (performance.now() - since > goodLifeMs) backoffMs = backoffMsMin;
      let why = `ended (${how})`;
      while (!live && !stopping.signal.aborted) {
        const pauseMs = Math.max(0, backoffMs - (performance.now() - startedAt));
        watcher.say(
          `${part.name} ${why}; starting it again ${pauseMs > 0 ? `in ${(pauseMs / 1000).toFixed(1)} s` : 'at once'}`,
        );
        if (pauseMs > 0) await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
        backoffMs = Math.min(backoffMs * 2, backoffMsMax);
        if (stopping.signal.aborted) return;
        try {
          live = await started();
          // `stop` came during this start, when there was no process to stop.
          if (stopping.signal.aborted) live.signal('SIGTERM');
        } catch (error) {
          why = `did not start: ${(error as Error).message}`;
        }
      }
    }
  }

  async function stop(deadlineMs: number): Promise<void> {
    stopping.abort();
    live?.signal('SIGTERM');
    const late = new AbortController();
    const deadline = pause(deadlineMs, undefined, { signal: late.signal }).then(
      () => {
        watcher.say(`${part.name} took longer than ${deadlineMs / 1000} s to stop, ending it`);
        live?.signal('SIGKILL');
      },
      () => {},
    );
    await loop;
    late.abort();
    await deadline;
  }

  return { name: part.name, stop, kill: () => live?.signal('SIGKILL') };
}
