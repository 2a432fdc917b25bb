import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, PackedPackage } from './pack.ts';
import { run, workspace } from './run.ts';

type Component = {
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string | undefined;
  readonly licenses?: readonly unknown[];
  readonly externalReferences?: readonly { readonly hashes?: readonly { readonly alg: string }[] }[];
};

/** The parts of a bill of materials that are checked. Source: CycloneDX 1.6. */
export type Bill = {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
};

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);

const hasDigest = ({ externalReferences = [] }: Component): boolean =>
  externalReferences.some(({ hashes = [] }) => hashes.some(({ alg }) => alg === 'SHA-512'));

/** The components of the same project are released with the package, and have no digest before. */
const findComponentIssues = (component: Component): readonly string[] => [
  ...(component.purl === undefined || component.version === undefined ? ['has no version'] : []),
  ...((component.licenses ?? []).length === 0 ? ['has no licence'] : []),
  ...(component.group !== '@clinical-records' && !hasDigest(component) ? ['has no digest'] : []),
];

/** The issues of the bill of materials of a package; none if it is right. */
export const findBillIssues = (
  bill: Bill,
  manifest: Pick<Manifest, 'name' | 'version' | 'dependencies'>,
): readonly string[] => {
  const { bomFormat, specVersion, metadata, components } = bill;
  const described = `${nameOf(metadata.component)} ${metadata.component.version}`;
  const listed = new Set(components.map(nameOf));
  return [
    ...(`${bomFormat} ${specVersion}` === 'CycloneDX 1.6' ? [] : [`is ${bomFormat} ${specVersion}`]),
    ...(described === `${manifest.name} ${manifest.version}` ? [] : [`describes ${described}`]),
    ...Object.keys(manifest.dependencies ?? {})
      .filter((name) => !listed.has(name))
      .map((name) => `does not list ${name}`),
    ...components.flatMap((component) =>
      findComponentIssues(component).map((issue) => `${nameOf(component)} ${issue}`),
    ),
  ];
};

/**
 * Writes a bill of materials of each package into the folder, with the versions of the lockfile, with which the package was
 * tested. An error if one is missing or wrong.
 */
export const writeBills = async (packages: readonly PackedPackage[], folder: string): Promise<void> => {
  await run(workspace, 'npm', 'run', '--silent', 'bills', join(folder, '%s.cdx.json'));
  const bills = globSync('*.cdx.json', { cwd: folder }).map(
    (name): Bill => JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  const issues = packages.flatMap(({ manifest }) => {
    const bill = bills.find(({ metadata }) => nameOf(metadata.component) === manifest.name);
    const found = bill === undefined ? ['is missing'] : findBillIssues(bill, manifest);
    return found.map((issue) => `The bill of materials of ${manifest.name} ${issue}.`);
  });
  if (issues.length > 0) throw new Error(issues.join('\n'));
};
