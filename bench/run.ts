import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { createClinicFiles, removeClinicFiles, warmUp } from './clinic-files.ts';
import { measureCopies } from './measure/measure-copies.ts';
import { measureHostTransactions } from './measure/measure-host-transactions.ts';
import { measureHttp } from './measure/measure-http.ts';
import {
  measureBodies,
  measureBytes,
  measureColdSearches,
  measureImports,
  measureJoinedCreates,
  measureLoad,
  measureReads,
} from './measure/measure-in-process.ts';
import { measureStandby } from './measure/measure-standby.ts';
import { createPostgresClinic } from './postgres-clinic.ts';
import { formatTable, type Result, type Size } from './results.ts';
import { parseSettings } from './settings.ts';

const settings = parseSettings(process.argv.slice(2));
const results: Result[] = [];
const sizes: Size[] = [];

const report = (result: Result): void => {
  results.push(result);
  console.error(
    `${result.work}: ${result.ratio.toPrecision(3)} of ${result.floor}, by the processor ${(result.floorMicroseconds / result.microseconds).toPrecision(3)}`,
  );
};

for (const [at, records] of settings.sizes.entries()) {
  const clinic = await createClinicFiles(records);
  await warmUp(clinic);
  if (at === 0) {
    await measureLoad(clinic, { ...settings, records }, report);
    await measureBodies(clinic, { ...settings, records }, report);
    await measureBytes(clinic, settings, (size) => sizes.push(size));
    await measureJoinedCreates(clinic, { ...settings, records }, report);
  }
  await measureReads(clinic, { ...settings, records }, report);
  const postgres = await createPostgresClinic(clinic);
  if (at === 0) await measureCopies(clinic, postgres, { ...settings, records }, report);
  await measureHttp(clinic, postgres, { ...settings, records, withPeer: at === 0 }, report);
  await measureHostTransactions(postgres, { ...settings, records }, report);
  await measureStandby(postgres, { ...settings, records }, report);
  await postgres.stop();
  await measureColdSearches(clinic, { ...settings, records }, report);
  await measureImports(clinic, { ...settings, records }, report);
  removeClinicFiles(clinic);
}

writeFileSync(
  new URL('results.json', import.meta.url),
  `${JSON.stringify([...results, ...sizes], null, 2)}\n`,
);
console.log(`${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.version}\n`);
console.log(formatTable(results));
console.log();
for (const { work, bytes, target } of sizes)
  console.log(`${work}: ${bytes}${target === null ? '' : `, target <= ${target}`}`);
