/** Mishaps of processes, links and servers. Each ends by itself, or with a new process. */

import type { Mishap } from './faults.ts';
import type { Cluster, FrontDoor, Shard } from './world/cluster.ts';
import type { Random, Scheduler } from './world/scheduler.ts';

/** The part of a simulation that mishaps reach. */
type Simulation = {
  readonly scheduler: Scheduler;
  readonly cluster: Cluster;
  readonly frontDoors: FrontDoor[];
  readonly shards: Shard[];
  /** A new shard joins under an id that no process had before. */
  join(): void;
};

const HOUR_MS = 3_600_000;
const shardsMax = 4;

export function befall(simulation: Simulation, mishap: Mishap): void {
  const { scheduler, cluster, frontDoors, shards } = simulation;
  const { random } = scheduler;
  const stopMs = random.delay(20, cluster.faults.now.stopMsMax);
  const linkMs = random.delay(20, 6_000);
  const alive = shards.filter(({ process }) => process.alive);
  const isVain = mishap === 'join' ? alive.length >= shardsMax : !isOfServers(mishap) && alive.length === 0;
  if (isVain) return;
  cluster.faults.struck(mishap);
  if (mishap === 'join') {
    simulation.join();
  } else if (mishap === 'outage') {
    const stream = random.pick(cluster.streams);
    stream.downUntil = scheduler.now + linkMs;
    scheduler.trace(`stream ${cluster.streams.indexOf(stream)} is down for ${linkMs.toFixed(0)} ms`);
  } else if (mishap === 'split') {
    // Other shards take over, while one front door still asks the old owner, which knows nothing of it.
    for (const { process } of [random.pick(alive), random.pick(frontDoors)]) process.mute(linkMs);
  } else if (mishap.startsWith('front door')) {
    const { process } = random.pick(frontDoors);
    if (mishap === 'front door stalls') process.stall(linkMs);
    else if (mishap === 'front door is cut') process.cut(linkMs);
    else process.stop(stopMs);
  } else {
    befallShard(simulation, random.pick(alive), mishap, stopMs, linkMs);
  }
}

/** Strikes even when no shard is alive. */
function isOfServers(mishap: Mishap): boolean {
  return mishap === 'outage' || mishap.startsWith('front door');
}

function befallShard(simulation: Simulation, shard: Shard, mishap: Mishap, stopMs: number, linkMs: number): void {
  const { scheduler } = simulation;
  const { process } = shard;
  if (mishap === 'stop') process.stop(stopMs);
  else if (mishap === 'cut') process.cut(linkMs);
  else if (mishap === 'stall') process.stall(linkMs);
  else if (mishap === 'mute') process.mute(linkMs);
  else if (mishap === 'snapshots') shard.storeSnapshots();
  else if (mishap === 'jump') {
    process.wallOffset = wrongBy(scheduler.random);
    scheduler.trace(`${process.name}: the wall clock is off by ${process.wallOffset}`);
  } else {
    if (mishap === 'crash') process.crash('killed');
    else if (mishap === 'leave') shard.leave();
    else process.crashSoon(scheduler.random.int(0, 20));
    comeBack(simulation);
  }
}

/** The error of a wall clock in milliseconds: some seconds, or up to an hour. */
export function wrongBy(random: Random): number {
  const most = random.chance(0.5) ? 3_000 : HOUR_MS;
  return random.int(-most, most);
}

/** A new process takes its place some time later. */
function comeBack(simulation: Simulation): void {
  simulation.scheduler.after(simulation.scheduler.random.delay(50, 4_000), () => {
    if (simulation.shards.filter(({ process }) => process.alive).length < shardsMax) simulation.join();
  });
}
