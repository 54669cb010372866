/** The benchmark's side of the load generator's process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadOrder, LoadResult } from './load.ts';
import type { LoadMessage } from './load-process.ts';

export type Generator = {
  run(order: LoadOrder): Promise<LoadResult>;
  /** Ends offered sales early. Their result comes when all requests are answered. */
  cut(): void;
  stop(): void;
};

export function startGenerator(): Generator {
  const child = fork(join('dist', 'bench', 'load', 'load-process.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the load generator ended')));
  ended.catch(() => {});
  return {
    async run(order) {
      child.send(order);
      const [message] = (await Promise.race([once(child, 'message'), ended])) as [LoadMessage];
      if ('problem' in message) throw new Error(`the load on port ${order.ports} failed: ${message.problem}`);
      return message.result;
    },
    cut: () => void child.send('cut'),
    stop: () => void child.kill(),
  };
}
