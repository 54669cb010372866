/**
 * The ceiling: uWebSockets.js parses a JSON body and answers with JSON. It has no authentication, no seats, no journal
 * and no durability.
 */
import { App, us_socket_local_port } from 'uWebSockets.js';

App()
  .post('/*', (response) => {
    let body = Buffer.alloc(0);
    response.onAborted(() => {});
    response.onData((chunk, isLast) => {
      body = Buffer.concat([body, Buffer.from(chunk)]);
      if (!isLast) return;
      // A hold's answer needs an id for the booking.
      const answer = JSON.stringify({ holdId: 'echo', echo: JSON.parse(body.toString()) });
      response.cork(() => response.writeHeader('Content-Type', 'application/json').end(answer));
    });
  })
  .listen('127.0.0.1', 0, (socket) => process.send({ port: us_socket_local_port(socket) }));

process.on('disconnect', () => process.exit(0));
