/** The benchmark's side of the crowd's process (crowd-process.ts). */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CrowdOrder, CrowdReport, Turnover } from './crowd.ts';
import type { CrowdMessage, CrowdTask } from './crowd-process.ts';
import type { OpeningsOrder, OpeningsReport } from './openings.ts';

type CrowdAnswer<Report> = { report: Report; cpuSeconds: number };

export function startCrowd() {
  const child = fork(join('dist', 'bench', 'crowd', 'crowd-process.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error("the crowd's process ended")));
  ended.catch(() => {});
  const run = (task: CrowdTask, onTurnover: (turnover: Turnover) => void): Promise<CrowdAnswer<unknown>> => {
    const told = new Promise<CrowdAnswer<unknown>>((resolve, reject) => {
      const hear = (message: CrowdMessage): void => {
        if ('turnover' in message) {
          onTurnover(message.turnover);
          return;
        }
        child.off('message', hear);
        if ('problem' in message) reject(new Error(message.problem));
        else resolve(message);
      };
      child.on('message', hear);
    });
    child.send(task);
    return Promise.race([told, ended]);
  };
  return {
    pid: child.pid!,
    open: (order: OpeningsOrder) => run({ task: 'openings', order }, () => {}) as Promise<CrowdAnswer<OpeningsReport>>,
    visit: (order: CrowdOrder, onTurnover: (turnover: Turnover) => void) =>
      run({ task: 'crowd', order }, onTurnover) as Promise<CrowdAnswer<CrowdReport>>,
    stop: () => void child.kill(),
  };
}
