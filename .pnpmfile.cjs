/**
 * The packages of Node say their `os` and `cpu` as a text, and pnpm heeds a list only: without this it would install the
 * Node of other systems, too.
 */
const listed = (value) => (typeof value === 'string' ? [value] : value);

module.exports = {
  hooks: {
    readPackage: (manifest) => ({
      ...manifest,
      ...(manifest.os !== undefined && { os: listed(manifest.os) }),
      ...(manifest.cpu !== undefined && { cpu: listed(manifest.cpu) }),
    }),
  },
};
