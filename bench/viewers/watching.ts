/** Starts the process of viewers (feed-viewers.ts), and gives it orders. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ViewersOrder } from './feed-viewers.ts';

export function startViewers() {
  const child = fork(join('dist', 'bench', 'viewers', 'feed-viewers.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the viewers failed')));
  ended.catch(() => {});
  return async <Answer>(order: ViewersOrder): Promise<Answer> => {
    child.send(order);
    const [answer] = (await Promise.race([once(child, order.order === 'leave' ? 'exit' : 'message'), ended])) as [
      Answer,
    ];
    return answer;
  };
}
