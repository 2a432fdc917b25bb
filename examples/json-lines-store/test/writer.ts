/**
 * Commits one record after the other and prints the id of each that was reported, until it is killed or refused
 * twice.
 */
import { writeSync } from 'node:fs';
import { isRight } from 'fp-ts/lib/Either.js';
import { openJsonLinesStore } from '../src/json-lines-store.ts';
import { change } from './records.ts';

const store = openJsonLinesStore({ filename: process.argv[2] ?? '' });

for (let at = 0, refused = 0; refused < 2 && at < 100_000; at += 1) {
  const outcome = await store.commit({ changes: [change(`${at}`)], versionChecks: [] });
  if (!isRight(outcome)) refused += 1;
  writeSync(1, isRight(outcome) ? `${at}\n` : 'refused\n');
}
