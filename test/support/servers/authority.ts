/** Certificates of an authority that exists for one test, made by openssl in a temporary folder. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Certificate = { certFile: string; keyFile: string };

export type Authority = {
  /** Its own certificate, by which clients know servers and servers know clients. */
  caFile: string;
  /** A certificate for `localhost`, good for a server and for a client. */
  issue(name: string): Promise<Certificate>;
  remove(): Promise<void>;
};

const run = promisify(execFile);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export async function createAuthority(name = 'Test authority'): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-certificates-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const authority = ['-subj', `/CN=${name}`, '-addext', 'basicConstraints=critical,CA:TRUE'];
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', ...authority);
  await writeFile(join(folder, 'extensions'), 'subjectAltName=DNS:localhost\n');
  return {
    caFile: join(folder, 'ca.pem'),
    async issue(subject) {
      const [key, request, cert] = ['key', 'csr', 'pem'].map((ending) => `${subject}.${ending}`) as [
        string,
        string,
        string,
      ];
      await openssl('req', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=${subject}`);
      const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
      await openssl('x509', '-req', '-in', request, ...signer, '-out', cert, '-extfile', 'extensions');
      return { certFile: join(folder, cert), keyFile: join(folder, key) };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
