/**
 * Files of records: for each record its length (u32) and its msgpack. A file is written once: under the name `.part`
 * first, then synced and renamed. Its note in the manifest has its length and its SHA-256, so a reader knows a missing,
 * short or changed file.
 *
 * Failure at an await of a write: the disk is full or gone → it throws, and a `.part` file is left, which the next run
 * writes anew. Failure of a read: a file that does not end with a record → `Refused`.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeKept, encodeKept } from '../../shared/src/protocol/wire.ts';
import { Refused } from './refused.ts';

/** `file` is relative to the folder of the backup. */
export type FileNote = { file: string; bytes: number; records: number; sha256: string };

const lengthBytes = 4;
const writeBytes = 1024 * 1024;

export class RecordWriter {
  readonly #folder: string;
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  bytes = 0;
  records = 0;

  private constructor(folder: string, file: string, handle: FileHandle) {
    this.#folder = folder;
    this.#file = file;
    this.#handle = handle;
  }

  /** The folder of the file exists. */
  static async create(folder: string, file: string): Promise<RecordWriter> {
    return new RecordWriter(folder, file, await open(join(folder, `${file}.part`), 'w', 0o600));
  }

  async add(record: unknown): Promise<void> {
    const packed = encodeKept(record);
    const length = Buffer.allocUnsafe(lengthBytes);
    length.writeUInt32BE(packed.length);
    this.#waiting.push(length, Buffer.from(packed));
    this.#waitingBytes += lengthBytes + packed.length;
    this.records++;
    if (this.#waitingBytes >= writeBytes) await this.#write();
  }

  async #write(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    await this.#handle.writeFile(bytes);
  }

  async end(): Promise<FileNote> {
    await this.#write();
    await this.#handle.sync();
    await this.#handle.close();
    const path = join(this.#folder, this.#file);
    await rename(`${path}.part`, path);
    await syncFolder(dirname(path));
    return { file: this.#file, bytes: this.bytes, records: this.records, sha256: this.#hash.digest('hex') };
  }

  async abandon(): Promise<void> {
    await this.#handle.close();
  }
}

/** Writes all records to one file. */
export async function writeRecords(
  folder: string,
  file: string,
  records: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<FileNote> {
  const writer = await RecordWriter.create(folder, file);
  try {
    for await (const record of records) await writer.add(record);
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  return writer.end();
}

/** The records of a file, in order. */
export async function* readRecords<T>(folder: string, file: string): AsyncGenerator<T> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(join(folder, file), { highWaterMark: writeBytes })) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= lengthBytes) {
      const end = at + lengthBytes + rest.readUInt32BE(at);
      if (end > rest.length) break;
      yield decodeKept<T>(rest.subarray(at + lengthBytes, end));
      at = end;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Refused(`${file} of the backup ends within a record.`);
}

/** Throws a `Refused` unless the file is there, with this length and this hash. */
export async function checkFile(folder: string, { file, bytes, sha256 }: FileNote): Promise<void> {
  const hash = createHash('sha256');
  let length = 0;
  try {
    for await (const chunk of createReadStream(join(folder, file), { highWaterMark: writeBytes })) {
      hash.update(chunk);
      length += chunk.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Refused(`The backup is not whole: ${file} is missing. Nothing was restored.`);
  }
  if (length === bytes && hash.digest('hex') === sha256) return;
  throw new Refused(`The backup is damaged: ${file} is not the file that was written. Nothing was restored.`);
}

/** Makes new names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folder, and keeps names by itself.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
