/**
 * The deployment that the catalog's store belongs to (I9). The store keeps the name of the deployment that it first
 * met. A deployment without its data has another name: NATS has lost everything, or the catalog was given the store of
 * another deployment. A catalog that served such a deployment would let its events be made anew, with every seat free.
 *
 * States of a catalog: it serves → it has found the layout and compared the names → it answers the operations of a
 * first use, asks events, and counts journals; or the names differ → it ends. The layout may come late: a deployment's
 * first shard makes it after the catalog has started. Until then nothing needs these operations: front doors and
 * notifiers wait for the layout too.
 *
 * A catalog that connects to NATS again compares again, for the NATS that it finds may have lost its data. Meanwhile it
 * answers: after the death of a server the layout may have no leader for seconds.
 *
 * Failure at each await: NATS does not answer → the layout is looked for again, without end; the store does not answer
 * → the error is thrown, the process ends and is started again; two catalogs write the name at once → the second one
 * finds the name of the first, and compares.
 */
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { AskedLayout, ClusterLayout } from '@parterre/shared/runtime/cluster-layout';
import { SettingFault } from '@parterre/shared/runtime/environment';
import { awaitLayout, findLayout, type LayoutPorts } from '@parterre/shared/runtime/standing-layout';
import { deployments } from './store/collections.ts';
import type { OperationTable } from './store/operations.ts';
import type { Store } from './store/store.ts';

const documentId = 'deployment';

export type DeploymentPorts = LayoutPorts & { store: Store };

/** Writes the name of the deployment, or compares it. Throws a `SettingFault` when the store belongs to another one. */
export async function joinDeployment(store: Store, name: string): Promise<void> {
  const known = (await store.get(deployments, documentId)) ?? (await keepName(store, name));
  if (known.value.name === name) return;
  throw new SettingFault(
    `serve the deployment ${name}: the catalog's store belongs to the deployment ${known.value.name}. Either NATS has ` +
      'lost its data: stop everything, and restore the data of NATS from the backup that belongs to this store. Or this ' +
      'is the store of another deployment: correct MONGODB_URL or PARTERRE_DATA',
  );
}

async function keepName(store: Store, name: string): Promise<{ value: { name: string } }> {
  const value = { name };
  if ((await store.insert(deployments, documentId, value)) === 'inserted') return { value };
  return (await store.get(deployments, documentId))!;
}

/** The layout of the store's deployment; null where no layout can be read now. */
export async function layoutAtFirst(ports: DeploymentPorts, asked: AskedLayout): Promise<ClusterLayout | null> {
  const layout = await findLayout(ports, asked);
  if (layout) await joinDeployment(ports.store, layout.deployment);
  return layout;
}

/** Waits for the layout of the store's deployment. */
export async function layoutWhenThere(ports: DeploymentPorts, asked: AskedLayout): Promise<ClusterLayout> {
  const layout = await awaitLayout(ports, asked);
  await joinDeployment(ports.store, layout.deployment);
  return layout;
}

/**
 * Compares the names after each reconnect. A name that differs stays an unhandled rejection, which ends the process.
 */
export function compareAgain(ports: DeploymentPorts, asked: AskedLayout): void {
  void (async () => {
    for await (const { type } of ports.nats.status()) {
      if (type === 'reconnect') void layoutWhenThere(ports, asked);
    }
  })();
}

/**
 * The operations, with those refused until the deployment is known with which an event is used for the first time: they
 * have the settings of its inventory, and the plan of its chart.
 */
export function heldBack(operations: OperationTable, isKnown: () => boolean): OperationTable {
  const { 'events.get': getEvent, 'plans.get': getPlan } = operations;
  return {
    ...operations,
    'events.get': async (...call) => (isKnown() ? getEvent(...call) : unknownDeployment),
    'plans.get': async (...call) => (isKnown() ? getPlan(...call) : unknownDeployment),
  };
}

const unknownDeployment: Outcome<never> = refuse(
  'catalog_unavailable',
  'The catalog does not know yet whether its data belongs to this deployment. Try again.',
  { retryable: true },
);
