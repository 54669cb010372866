/**
 * The conditions of a start, settled before the first process: the data folder's claim, the ports, a reachable NATS.
 */
import { existsSync } from 'node:fs';
import type { Settings } from './config.ts';
import { claimDataFolder, endLeftovers, leaveDataFolder, markFile } from './data-folder.ts';
import { rootTokenOf } from './demo.ts';
import { Fleet, type FleetOptions } from './fleet.ts';
import { natsProblem } from './nats-address.ts';
import { settleHealthPorts, settlePorts } from './port.ts';

type Hooks = Pick<FleetOptions, 'say' | 'environmentOf' | 'changed'>;

/** The processes to start, with the data folder claimed; or a problem, with nothing claimed. */
export async function prepareDeployment(
  settings: Settings,
  hooks: Hooks,
): Promise<{ fleet: Fleet; rootToken: string } | { problem: string }> {
  const { dataFolder, host } = settings;
  if (existsSync(markFile(dataFolder))) {
    return {
      problem: `A restore into ${dataFolder} was interrupted. Run \`npx parterre restore\` again: it goes on from there.`,
    };
  }
  const claim = await claimDataFolder(dataFolder);
  if ('problem' in claim) return claim;
  await endLeftovers(dataFolder, hooks.say);
  const refuse = (problem: string) => {
    leaveDataFolder(dataFolder);
    return { problem };
  };
  const settled = await settlePorts(settings.port, settings.topology.counts.frontdoor, host);
  if ('problem' in settled) return refuse(settled.problem);
  const health = await settleHealthPorts(settings, hooks.say);
  if ('problem' in health) return refuse(health.problem);
  const unreachable = settings.natsUrl === null ? null : await natsProblem(settings.natsUrl);
  if (unreachable) return refuse(unreachable);
  const rootToken = rootTokenOf(dataFolder, settings.rootToken);
  const fleet = new Fleet({ settings, rootToken, ports: settled.ports, healthPorts: health.ports, ...hooks });
  return { fleet, rootToken };
}
