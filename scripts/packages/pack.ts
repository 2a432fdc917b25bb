import assert from 'node:assert/strict';
import { globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run, workspace } from './run.ts';

/** The parts of a package.json that are checked. */
export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly url: string };
  /** The conditions of each entry, by its path. */
  readonly exports: Readonly<Record<'.' | `./${string}`, Readonly<Record<string, unknown>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

/** A package as it is published. */
export type PackedPackage = {
  readonly tarball: string;
  /** The folder of its files. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The bytes of the tarball, and of the files in it. */
  readonly size: { readonly packed: number; readonly unpacked: number };
};

const countBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

const unpack = async (tarball: string, into: string): Promise<PackedPackage> => {
  const unpacked = join(into, basename(tarball, '.tgz'));
  mkdirSync(unpacked);
  await run(into, 'tar', '-xzf', tarball, '-C', unpacked);
  const folder = join(unpacked, 'package');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return {
    tarball,
    folder,
    manifest,
    size: { packed: statSync(tarball).size, unpacked: countBytes(unpacked) },
  };
};

/**
 * Builds and packs every package, and unpacks it into the folder. `TARBALLS` names a folder with packed ones instead, for
 * several checks of the same packages.
 */
export const pack = async (folder: string): Promise<readonly PackedPackage[]> => {
  const { TARBALLS: packed = folder } = process.env;
  if (packed === folder) await run(workspace, 'npm', 'run', '--silent', 'tarballs', folder);
  const tarballs = globSync('*.tgz', { cwd: packed }).map((name) => join(packed, name));
  return Promise.all(tarballs.map((tarball) => unpack(tarball, folder)));
};

export const coreOf = (packages: readonly PackedPackage[]): PackedPackage => {
  const core = packages.find(({ manifest }) => manifest.name === '@clinical-records/core');
  assert(core, 'The core is packed.');
  return core;
};
