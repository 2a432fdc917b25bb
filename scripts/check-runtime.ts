import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { findNewerReleases } from './runtime/find-newer-releases.ts';

/** A release may be this many days old before the build fails, so that a new release does not break it at once. */
const daysToFollow = 90;

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** The dates of all releases of a package in the registry; null if the registry cannot be reached. */
const releasesOf = async (name: string): Promise<Readonly<Record<string, string>> | null> => {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', name, 'time', '--json'], {
      maxBuffer: 2 ** 24,
      timeout: 60_000,
    });
    return JSON.parse(stdout);
  } catch {
    return null;
  }
};

/** Compares each Node that the lockfile pins with the releases of its line, and fails if one is overdue. */
for (const [name, ours] of Object.entries(optionalDependencies)) {
  const releases = await releasesOf(name);
  if (releases === null) {
    console.log(`${name}: not checked, the registry cannot be reached`);
    continue;
  }
  const newer = findNewerReleases(ours, releases, new Date());
  const [newest] = newer;
  const isOverdue = newer.some(({ days }) => days > daysToFollow);
  if (newest === undefined) console.log(`${name}: ${ours} is the newest of its line`);
  else console.log(`${name}: ${ours}, and ${newest.version} has been out for ${newest.days} days`);
  if (isOverdue) {
    console.error(
      `${name}: ${ours} is too old: a newer release has been out for more than ${daysToFollow} days`,
    );
    process.exitCode = 1;
  }
}
