/** The name of the deployment that a store belongs to, on any store. */
import { SettingFault } from '@parterre/shared/runtime/environment';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { joinDeployment } from '../../services/catalog/src/deployment.ts';
import { collections } from '../../services/catalog/src/store/collections.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';

export function deploymentContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
  });
  afterEach(() => database.remove());

  test('a store keeps the first deployment that it meets, and refuses every other', async () => {
    const [one, other] = await Promise.all([database.connect(), database.connect()]);
    await joinDeployment(one, 'dep_1');
    await joinDeployment(other, 'dep_1');
    await expect(joinDeployment(other, 'dep_2')).rejects.toThrow(SettingFault);
    await expect(joinDeployment(one, 'dep_2')).rejects.toThrow(/NATS has lost its data: .* restore the data of NATS/);
    await joinDeployment(one, 'dep_1');
  });

  test('of two deployments that meet a new store at once, one is refused', async () => {
    const stores = await Promise.all([database.connect(), database.connect()]);
    const ends = await Promise.allSettled(stores.map((store, index) => joinDeployment(store, `dep_${index}`)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
}
