/**
 * Faults of the storage under a NATS server. Each strikes while the server is stopped (SIGSTOP); the server is then
 * killed (SIGKILL) and started again by its supervisor, as after a crash of its machine.
 *
 * What is real and what is emulated:
 * - A flipped bit, a truncated block and a deleted folder are changes of the files that NATS reads, made beneath it.
 * - An older copy is a copy of the server's whole folder, taken some hundred sales before, put back.
 * - Unsynced writes are dropped by the file system itself: the folder is an ext4 image behind a loop device. The ioctl
 *   EXT4_IOC_SHUTDOWN ends the file system without a flush, as a power cut does, and the next mount replays the journal
 *   of ext4. What NATS had synced survives, and all else survives only as far as the kernel had written it back. The
 *   disk itself is honest: it keeps what ext4 flushed, in order. A disk that lies about a flush is the older copy.
 *   Nothing here depends on LD_PRELOAD, which a static Go program ignores. It needs Linux and root.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  cpSync,
  constants as fileConstants,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** The stopped server's folder. `disk` is the file system under the folder, where the fault needs one. */
export type Store = { folder: string; disk: Disk | null };

export type StorageFault = {
  name: string;
  needsDisk?: boolean;
  /** Strikes between an end of the whole deployment in good order and its next start. */
  isAtRest?: boolean;
  /** Some hundred sales before the fault. The server is stopped here too, and goes on afterwards. */
  remember?(store: Store): void;
  strike(store: Store): void;
};

/** The stream that files are damaged of. The other streams stay whole, so events of other partitions sell on. */
const stream = 'JOURNAL-0';

export const flippedBit: StorageFault = {
  name: 'a flipped bit in a block file',
  strike({ folder }) {
    const block = lastBlock(folder);
    flipBit(block, Math.floor(statSync(block).size / 2));
  },
};

export function flipBit(path: string, place: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, place);
  byte[0]! ^= 0b1000;
  writeSync(file, byte, 0, 1, place);
  closeSync(file);
}

/** NATS believes the index that it wrote at its end, and meets the damage when it reads the message. */
export const flippedAtRest: StorageFault = {
  name: 'a bit that flips while NATS is stopped',
  isAtRest: true,
  strike: flippedBit.strike,
};

export const truncatedBlock: StorageFault = {
  name: 'a truncated block',
  strike({ folder }) {
    const block = lastBlock(folder);
    truncateSync(block, Math.floor(statSync(block).size / 2));
  },
};

export const deletedFolder: StorageFault = {
  name: 'a deleted stream folder',
  strike: ({ folder }) => rmSync(folderOfStream(folder), { recursive: true }),
};

export const olderCopy: StorageFault = {
  name: 'an older copy put back',
  remember: ({ folder }) => cpSync(join(folder, 'data'), join(folder, 'older'), { recursive: true }),
  strike({ folder }) {
    rmSync(join(folder, 'data'), { recursive: true });
    cpSync(join(folder, 'older'), join(folder, 'data'), { recursive: true });
  },
};

export const droppedWrites: StorageFault = {
  name: 'unsynced writes dropped',
  needsDisk: true,
  remember: ({ disk }) => disk!.writeBack(),
  strike: ({ disk }) => disk!.cutPower(),
};

export const storageFaults = [flippedBit, flippedAtRest, truncatedBlock, deletedFolder, olderCopy, droppedWrites];

function folderOfStream(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const found = entries.find(
    (entry) => entry.name === stream && entry.isDirectory() && /streams$/.test(entry.parentPath),
  );
  if (!found) throw new Error(`${folder} has no stream ${stream}`);
  return join(found.parentPath, found.name);
}

/** The newest block file of the stream in a server's folder. */
export function lastBlock(folder: string): string {
  const messages = join(folderOfStream(folder), 'msgs');
  const blocks = readdirSync(messages).filter((name) => name.endsWith('.blk'));
  const last = blocks.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)).at(-1);
  if (last === undefined) throw new Error(`${messages} has no block`);
  return join(messages, last);
}

const diskBytes = 512 * 1024 * 1024;
/** _IOR('X', 125, __u32), and EXT4_GOING_FLAGS_NOLOGFLUSH. */
const shutdownOfExt4 = '0x8004587D';
const withoutFlush = 2;

export type Disk = {
  /** Everything that was written so far reaches the disk, as it does within half a minute without a sync. */
  writeBack(): void;
  /** Ends the file system without a flush, and mounts what the disk has in its place. */
  cutPower(): void;
  remove(): void;
};

/** Why this machine cannot cut the power of a file system; null where it can. */
export function whyNoDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'a loop-mounted file system needs Linux and root';
  try {
    for (const program of ['mkfs.ext4', 'mount', 'umount', 'perl'])
      execFileSync('which', [program], { stdio: 'ignore' });
    const [entry] = readdirSync('/dev').filter((name) => name === 'loop-control');
    return entry ? null : 'this machine has no loop devices';
  } catch {
    return 'mkfs.ext4, mount, umount or perl is missing';
  }
}

/** An ext4 file system in a file beside `folder`, mounted there. */
export function mountDisk(folder: string): Disk {
  const images = [`${folder}.disk`];
  const image = (): string => images.at(-1)!;
  const run = (program: string, args: string[]): void => void execFileSync(program, args, { stdio: 'pipe' });
  const mount = (): void => run('mount', ['-o', 'loop', image(), folder]);
  mkdirSync(folder, { recursive: true });
  closeSync(openSync(image(), 'w'));
  truncateSync(image(), diskBytes);
  run('mkfs.ext4', ['-q', '-F', image()]);
  mount();
  return {
    writeBack: () => run('sync', ['--file-system', folder]),
    cutPower() {
      const shutdown = `open(F, "<", $ARGV[0]) or die; $how = pack("L", ${withoutFlush}); ioctl(F, ${shutdownOfExt4}, $how) or die $!`;
      run('perl', ['-e', shutdown, folder]);
      // The stopped server still has files open, so its file system stays until the kill. No write reaches the image.
      images.push(`${folder}.disk-${images.length}`);
      copyFileSync(images.at(-2)!, image(), fileConstants.COPYFILE_FICLONE);
      run('umount', ['--lazy', folder]);
      mount();
    },
    remove() {
      run('umount', ['--lazy', folder]);
      for (const file of images) rmSync(file);
    },
  };
}
