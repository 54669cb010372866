/**
 * The order of the test files: slow files first, so that the workers end together. In a fresh clone there are no
 * durations of earlier runs, and a file's size says little. Whole clusters, browsers and the files named here are slow.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const long = [
  /^test\/cluster\//,
  /^test\/browser\//,
  /^test\/store\//,
  /^test\/simulation\//,
  /^test\/model\//,
  /^test\/end-to-end\/(openapi\/description|http\/secrets|events\/states|feeds\/silent|operators\/commands)\.test/,
  /^test\/flow\/(deployment\/launch|journal\/(fence|nats-.*))\.test/,
  /^test\/rules\/inventory\/state\/(model|properties)\.test/,
  /^test\/end-to-end\//,
  /^test\/flow\//,
];

export default class LongFirst extends BaseSequencer {
  /** Files of the same rank stay in vitest's order: by their last duration, or by size. */
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
