import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** The folder or the file of the top to which a file belongs. */
const memberOf = (file: string): string => file.split('/')[0] ?? '';

/**
 * Tests that the sources of a package are in layers. `layers` has the folders and files of the top of `sources`, from the bottom up;
 * those of one line do not import each other.
 */
export const describeLayers = (sources: URL, layers: readonly (readonly string[])[]): void => {
  const folder = fileURLToPath(sources);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  const layerOf = (file: string): number => layers.findIndex((layer) => layer.includes(memberOf(file)));

  /** The files of the package that a file imports. */
  const importsOf = (file: string): readonly string[] =>
    [...readFileSync(folder + file, 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    );

  describe('the layers of the sources', () => {
    test('every file belongs to one', () => {
      expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
    });

    test('each has a file', () => {
      const members = new Set(files.map(memberOf));
      expect(layers.flat().filter((member) => !members.has(member))).toEqual([]);
    });

    test('a folder or file imports only from those below it', () => {
      const arrowsUp = files.flatMap((file) =>
        importsOf(file)
          .filter((imported) => memberOf(imported) !== memberOf(file) && layerOf(imported) >= layerOf(file))
          .map((imported) => `${file} imports ${imported}`),
      );
      expect(arrowsUp).toEqual([]);
    });
  });
};
