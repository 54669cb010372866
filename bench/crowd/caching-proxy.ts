/**
 * nginx in front of a front door, with a cache for the public answers: the files of charts and the statuses. The front
 * door's Cache-Control says for how long an answer is kept. One request renews an answer while others get the old one.
 * Callers of an unknown address wait for one request together. All other calls pass through.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, startServer } from '../sales/programs.ts';

export type CachingProxy = { port: number; pid: number; stop(): Promise<void> };

/** A proxy without nginx is missing, with the reason. */
export async function startCachingProxy(frontDoorPort: number): Promise<CachingProxy | { missing: string }> {
  const sought = await findProgram('nginx', 'nginx');
  if (!sought.found) return { missing: sought.why };
  const folder = await mkdtemp(join(tmpdir(), 'parterre-bench-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, port, frontDoorPort));
  const args = ['-e', 'stderr', '-c', file, '-g', 'daemon off;'];
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const server = await startServer(sought.program, args, 'stderr', /start worker process \d/);
    return {
      port,
      pid: server.pid,
      async stop() {
        await server.end('SIGTERM');
        await remove();
      },
    };
  } catch (error) {
    await remove();
    return { missing: String(error) };
  }
}

/** One worker, as much as two cores carry beside the services. */
function configuration(folder: string, port: number, frontDoorPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${folder}/${kind};`,
  );
  return `worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
error_log stderr notice;
events { worker_connections 8192; }
http {
  access_log off;
  sendfile on;
${temporary.join('\n')}
  proxy_cache_path ${folder}/cache levels=1:2 keys_zone=public:10m max_size=1g inactive=1h use_temp_path=off;
  upstream front_door {
    server 127.0.0.1:${frontDoorPort};
    keepalive 256;
    keepalive_timeout 2s;
  }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    proxy_http_version 1.1;
    proxy_set_header Connection '';
    proxy_set_header Host $http_host;
    location / {
      proxy_pass http://front_door;
      proxy_buffering off;
    }
    location ~ ^/pub/(charts|statuses)/ {
      proxy_pass http://front_door;
      proxy_cache public;
      proxy_cache_key $request_uri;
      proxy_cache_lock on;
      proxy_cache_background_update on;
    }
  }
}
`;
}
