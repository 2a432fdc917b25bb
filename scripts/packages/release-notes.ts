const bumps = ['major', 'minor', 'patch'] as const;
type Bump = (typeof bumps)[number];

const titles: Readonly<Record<Bump, string>> = {
  major: 'Changes that break programs',
  minor: 'New',
  patch: 'Fixed',
};

const firstOf = (found: readonly Bump[]): Bump => bumps.find((bump) => found.includes(bump)) ?? 'patch';

/** The greatest bump of a changeset, and its sentences. An Error if it breaks programs and does not say how to upgrade. */
const parseChangeset = (changeset: string) => {
  const [, head = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(changeset) ?? [];
  const bump = firstOf(Array.from(head.matchAll(/: (major|minor|patch)$/gm), ([, found]) => found as Bump));
  if (bump === 'major' && !text.includes('\n**Upgrade.** '))
    throw new Error(`A change that breaks programs needs a paragraph "**Upgrade.** …": ${text.trim()}`);
  return { bump, text: text.trim() };
};

/** The version that follows. Before 1.0.0, a break is a minor version. */
const raise = (version: string, bump: Bump): string => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'patch') return `${major}.${minor}.${patch + 1}`;
  return bump === 'minor' || major === 0 ? `${major}.${minor + 1}.0` : `${major + 1}.0.0`;
};

/** The notes of the release that follows a version, in Markdown, from the texts of all changesets. */
export const releaseNotes = (version: string, changesets: readonly string[]): string => {
  const changes = changesets.map(parseChangeset);
  const next = raise(version, firstOf(changes.map(({ bump }) => bump)));
  const sections = bumps.flatMap((bump) => {
    const texts = changes.filter((change) => change.bump === bump).map(({ text }) => text);
    return texts.length === 0 ? [] : [`## ${titles[bump]}`, ...texts];
  });
  return `${[`# ${next}`, ...sections].join('\n\n')}\n`;
};

/** The newest notes of a changelog, in which the heading of each release is its version. */
export const newestNotes = (changelog: string): string => changelog.split(/\n(?=# \d)/)[0] ?? '';
