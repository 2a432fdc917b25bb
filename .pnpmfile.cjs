const { relative } = require('node:path');
const { repository } = require('./package.json');

/**
 * The packages of Node say their `os` and `cpu` as a text, and pnpm heeds a list only: without this it would install the
 * Node of other systems, too.
 */
const listed = (value) => (typeof value === 'string' ? [value] : value);

/** Where a package is, from the `repository` of the root, which is the URL of the project: nothing until it has one. */
const addressOf = (folder) => {
  if (repository === undefined) return {};
  const directory = relative(__dirname, folder).replaceAll('\\', '/');
  return {
    repository: { type: 'git', url: `git+${repository}.git`, directory },
    homepage: `${repository}/tree/main/${directory}#readme`,
    bugs: `${repository}/issues`,
  };
};

module.exports = {
  hooks: {
    readPackage: (manifest) => ({
      ...manifest,
      ...(manifest.os !== undefined && { os: listed(manifest.os) }),
      ...(manifest.cpu !== undefined && { cpu: listed(manifest.cpu) }),
    }),
    beforePacking: (manifest, folder) => ({ ...manifest, ...addressOf(folder) }),
  },
};
