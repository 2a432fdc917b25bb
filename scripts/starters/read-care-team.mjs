import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Starts the app of a framework, such as `express`, and reads a care team over HTTP.

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();

const { listen } = await import(`./${process.argv[2]}.mjs`);
const server = await listen(port);
if (server?.listening === false) await once(server, 'listening');
const response = await fetch(`http://127.0.0.1:${port}/fhir/CareTeam/7`, {
  headers: { authorization: 'Bearer ada' },
});
assert.equal(response.status, 200);
assert.equal((await response.json()).name, 'Care Team for Shaw, Amy');
process.exit();
