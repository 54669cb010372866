/**
 * Faults of the storage of real NATS servers under load (I9): on one server, on one of three and on two of three.
 * `storage/faults.ts` says how each fault is made, `storage/storage-fault.ts` what is checked.
 */
import { describe, expect, test } from 'vitest';
import { oneMachine, oneOfThree, oneServer, twoOfThree } from './storage/deployments.ts';
import { droppedWrites, storageFaults, whyNoDisk } from './storage/faults.ts';
import { runStorageFault } from './storage/storage-fault.ts';

const noDisk = whyNoDisk();
/** A test that needs a file system whose power can be cut. Skipped with the reason in its name. */
const testOnDisk = (name: string, run: () => Promise<void>): void => {
  if (noDisk === null) test(name, run);
  else test.skip(`${name} (${noDisk})`, run);
};

for (const place of [oneServer, oneOfThree, twoOfThree]) {
  describe(place.name, { timeout: 300_000 }, () => {
    for (const fault of storageFaults) {
      const testOf = fault.needsDisk ? testOnDisk : test;
      testOf(fault.name, async () => {
        const outcome = await runStorageFault(fault, place);
        console.log(`${fault.name}, ${place.name}: ${JSON.stringify(outcome)}`);
        if (place === oneOfThree) expect(outcome).toMatchObject({ halted: [], lostSales: 0 });
      });
    }
  });
}

describe('a power cut', { timeout: 300_000 }, () => {
  for (const place of [oneServer, oneMachine]) {
    testOnDisk(`of ${place.name} that syncs each append loses no sale`, async () => {
      const outcome = await runStorageFault(droppedWrites, place, 'always');
      console.log(`${droppedWrites.name}, ${place.name} with sync always: ${JSON.stringify(outcome)}`);
      expect(outcome).toMatchObject({ halted: [], lostSales: 0 });
    });
  }

  testOnDisk(`of ${oneMachine.name} that syncs every two minutes halts: the catalog has counted more`, async () => {
    const outcome = await runStorageFault(droppedWrites, oneMachine);
    console.log(`${droppedWrites.name}, ${oneMachine.name}: ${JSON.stringify(outcome)}`);
    expect(outcome.halted).toHaveLength(4);
  });
});
