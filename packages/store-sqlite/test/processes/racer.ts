import { exactVersion, noVersion } from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import { openSqliteStore } from '../../src/index.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';

// A process that tries to write every next version of one record, and prints how often it was first.
const [filename = '', rounds = '0'] = process.argv.slice(2);
const store = openSqliteStore({ filename, busyTimeout: 60_000 });
let won = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  const version = (await resultOf(store.read(ref)))?.version;
  const expects = version === undefined ? noVersion : exactVersion(version);
  // Its own record shows whether all of a commit lands, or none.
  const changes = [change({ id: `${process.pid}-${round}` }), change({ expects })];
  if (isRight(await store.commit({ changes, versionChecks: [] }))) won += 1;
  await write(store, change({ id: `pause-${process.pid}` }));
}
await store.close();
process.stdout.write(String(won));
