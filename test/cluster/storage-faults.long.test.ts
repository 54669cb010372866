/**
 * Faults of the storage of real NATS servers under load (I9): on one server, on one of three and on two of three.
 * `storage/faults.ts` says how each fault is made, `storage/storage-fault.ts` what is checked.
 */
import { describe, expect, test } from 'vitest';
import { oneMachine, oneOfThree, oneServer, twoOfThree } from './storage/deployments.ts';
import { droppedWrites, storageFaults, whyNoDisk } from './storage/faults.ts';
import { runStorageFault } from './storage/storage-fault.ts';

const noDisk = whyNoDisk();

for (const place of [oneServer, oneOfThree, twoOfThree]) {
  describe(place.name, { timeout: 300_000 }, () => {
    for (const fault of storageFaults) {
      test(fault.name, async () => {
        if (fault.needsDisk && noDisk) return console.log(`not run: ${noDisk}`);
        const outcome = await runStorageFault(fault, place);
        console.log(`${fault.name}, ${place.name}: ${JSON.stringify(outcome)}`);
        if (place === oneOfThree) expect(outcome).toMatchObject({ halted: [], lostSales: 0 });
      });
    }
  });
}

describe('a power cut', { timeout: 300_000 }, () => {
  for (const place of [oneServer, oneMachine]) {
    test(`of ${place.name} that syncs each append loses no sale`, async () => {
      if (noDisk) return console.log(`not run: ${noDisk}`);
      const outcome = await runStorageFault(droppedWrites, place, 'always');
      console.log(`${droppedWrites.name}, ${place.name} with sync always: ${JSON.stringify(outcome)}`);
      expect(outcome).toMatchObject({ halted: [], lostSales: 0 });
    });
  }

  test(`of ${oneMachine.name} that syncs every two minutes halts, since the catalog has counted more`, async () => {
    if (noDisk) return console.log(`not run: ${noDisk}`);
    const outcome = await runStorageFault(droppedWrites, oneMachine);
    console.log(`${droppedWrites.name}, ${oneMachine.name}: ${JSON.stringify(outcome)}`);
    expect(outcome.halted).toHaveLength(4);
  });
});
