/**
 * Openings and crowds in a process of their own: an order comes as a message, and the report or the error goes back.
 * While a crowd is under way, its turnover goes back too.
 */
import { cpuUsage } from 'node:process';
import { Crowd, type CrowdOrder, type CrowdReport, type Turnover } from './crowd.ts';
import { type OpeningsOrder, type OpeningsReport, runOpenings } from './openings.ts';

export type CrowdTask = { task: 'openings'; order: OpeningsOrder } | { task: 'crowd'; order: CrowdOrder };
export type CrowdMessage =
  | { turnover: Turnover }
  | { report: OpeningsReport | CrowdReport; cpuSeconds: number }
  | { problem: string };

const turnoverEveryMs = 100;

process.on('message', (task: CrowdTask) => {
  const before = cpuUsage();
  run(task).then(
    (report) => {
      const { user, system } = cpuUsage(before);
      tell({ report, cpuSeconds: (user + system) / 1e6 });
    },
    (error: Error) => tell({ problem: String(error.stack) }),
  );
});
process.on('disconnect', () => process.exit(0));

async function run(task: CrowdTask): Promise<OpeningsReport | CrowdReport> {
  if (task.task === 'openings') return runOpenings(task.order);
  const crowd = new Crowd(task.order);
  const telling = setInterval(() => tell({ turnover: crowd.takeTurnover() }), turnoverEveryMs);
  return crowd.run().finally(() => {
    clearInterval(telling);
    tell({ turnover: crowd.takeTurnover() });
  });
}

function tell(message: CrowdMessage): void {
  process.send!(message);
}
