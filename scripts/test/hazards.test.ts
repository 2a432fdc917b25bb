import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workspace } from '../packages/run.ts';

const hazards = readFileSync(`${workspace}docs/hazards.md`, 'utf8')
  .split(/^## (?=\d)/m)
  .slice(1)
  .map((section) => section.split(/^## /m)[0] ?? '');

test('the hazard log has ten hazards', () => {
  expect(hazards.map((hazard) => hazard.split('\n', 1)[0])).toEqual([
    '1. Wrong patient',
    '2. Lost dose',
    '3. Doubled dose',
    '4. Stale team',
    '5. Wrong lead',
    '6. Unseen correction',
    '7. Wrong time',
    '8. Disclosed chart',
    '9. Unavailable chart',
    '10. Silent damage',
  ]);
});

test.each(hazards)(
  'a hazard has a cause, an effect, your part, and controls with code and tests: %s',
  (hazard) => {
    for (const part of ['**Cause:** ', '**Effect:** ', '**Yours:** ']) expect(hazard).toContain(`\n${part}`);
    const controls = hazard.match(/^\| (?!control|-).*$/gm) ?? [];
    expect(controls.length).toBeGreaterThan(1);
    for (const control of controls)
      expect(control).toMatch(/^\| .+ \| \[`.+`\]\(\S+\.ts\): `\w+` \| \[`.+`\]\(\S+\.test\.ts\): ".+" \|$/);
  },
);
