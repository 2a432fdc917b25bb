/** SNOMED CT's classification of each kind of order. Source: docs/http-interface.md#servicerequest. */
export const categories = {
  imagingOrder: { system: 'http://snomed.info/sct', code: '363679005', display: 'Imaging' },
  labOrder: { system: 'http://snomed.info/sct', code: '108252007', display: 'Laboratory procedure' },
  referral: {
    system: 'http://snomed.info/sct',
    code: '386053000',
    display: 'Evaluation procedure (procedure)',
  },
} as const;

export type OrderKind = keyof typeof categories;

export const orderKinds = Object.keys(categories) as readonly OrderKind[];
