import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run, workspace } from './run.ts';

/** The parts of a package.json that are checked. */
export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly url: string };
  readonly exports: { readonly '.': Readonly<Record<string, unknown>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

/** A package as it is published. */
export type PackedPackage = {
  readonly tarball: string;
  readonly manifest: Manifest;
  /** The bytes of the tarball, and of the files in it. */
  readonly size: { readonly packed: number; readonly unpacked: number };
};

const countBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

const unpack = async (folder: string, name: string): Promise<PackedPackage> => {
  const tarball = join(folder, name);
  const unpacked = join(folder, name.replace(/\.tgz$/, ''));
  mkdirSync(unpacked);
  await run(folder, 'tar', '-xzf', tarball, '-C', unpacked);
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package/package.json'), 'utf8'));
  return { tarball, manifest, size: { packed: statSync(tarball).size, unpacked: countBytes(unpacked) } };
};

/** Builds every package and packs it into the folder. */
export const pack = async (folder: string): Promise<readonly PackedPackage[]> => {
  await run(workspace, 'npm', 'run', '--silent', 'tarballs', folder);
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return Promise.all(tarballs.map((name) => unpack(folder, name)));
};
