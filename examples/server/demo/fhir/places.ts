import { clinic, location, organizations } from '../people.ts';
import { address, hl7, phone, reference, resource } from './resource.ts';

export const organizationResources = organizations.map(({ id, name, identifier }) =>
  resource('Organization', id, {
    identifier,
    active: true,
    type: [hl7('organization-type', 'prov', 'Healthcare Provider')],
    name,
    telecom: phone('work', '555-0150'),
    address: [address('work', '12 Harbor Street')],
  }),
);

export const locationResource = resource('Location', location, {
  status: 'active',
  name: 'Harbor Clinic, ground floor',
  type: [hl7('v3-RoleCode', 'OF', 'Outpatient facility')],
  telecom: phone('work', '555-0150'),
  address: address('work', '12 Harbor Street'),
  managingOrganization: reference('Organization', clinic),
});
