/** Commits two records after its file was closed behind the back of the store, so that nothing can be written or taken back. */
import { closeSync, readdirSync, readlinkSync } from 'node:fs';
import { openJsonLinesStore } from '../src/json-lines-store.ts';
import { change } from './records.ts';

const filename = process.argv[2] ?? '';
const store = openJsonLinesStore({ filename });

const opened = readdirSync('/proc/self/fd').filter((file) => {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === filename;
  } catch {
    return false;
  }
});
for (const file of opened) closeSync(Number(file));

for (const id of ['a', 'b']) {
  const outcome = store.commit({ changes: [change(id)], versionChecks: [] });
  console.log(await outcome.then((end) => (end._tag === 'Left' ? end.left._tag : 'Right'), String));
}
