/**
 * The order in which files run: those that take long first, so that the workers end together. In a fresh clone nothing is known
 * of earlier runs, and the size of a file says little: whole clusters and browsers take long, and the files named here.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const long = [
  /^test\/cluster\//,
  /^test\/browser\//,
  /^test\/store\//,
  /^test\/simulation\//,
  /^test\/end-to-end\/(openapi|secrets|event-states|feed-silent|commands)\.test/,
  /^test\/flow\/(many-events|launch|journal-fence|partition-nats-.*)\.test/,
  /^test\/rules\/inventory-(model|properties)\.test/,
  /^test\/end-to-end\//,
  /^test\/flow\//,
];

export default class LongFirst extends BaseSequencer {
  /** What is alike here stays in the order that vitest gives it: as long as it took last, or by size. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => this.rank(one) - this.rank(other));
  }

  private rank({ moduleId }: TestSpecification): number {
    const file = relative(this.ctx.config.root, moduleId);
    const index = long.findIndex((pattern) => pattern.test(file));
    return index === -1 ? long.length : index;
  }
}
