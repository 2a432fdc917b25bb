import { chartKind } from '../chart/chart-kind.ts';
import { deriveImmunization } from './derive.ts';

export const immunizationKind = (extensionBase: string) =>
  chartKind('Immunization', deriveImmunization(extensionBase));
