import { createApp } from './app.ts';
import { openClinic } from './clinic.ts';
import { seed } from './seed.ts';

const { PORT = '3000', DATABASE = 'day-clinic.db' } = process.env;
const clinic = await openClinic(DATABASE);
await seed(clinic);
const server = createApp(clinic).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Clinic at http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
