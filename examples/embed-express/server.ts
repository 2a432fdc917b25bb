import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections } from '@clinical-records/http-adapter';
import { openClinic } from '../clinic/clinic.ts';
import { createApp } from './app.ts';

const { PORT = '3000', FILE = 'embed-express.db' } = process.env;

// #region limits
const server = limitConnections(createServer(createApp(await openClinic(FILE))));
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Clinic at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
// #endregion
