import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../api/client.ts';
import type { Patient } from '../model/resources.ts';
import type { ChartSettings } from '../settings.ts';

export const SettingsContext = createContext<ChartSettings | null>(null);
export type User = {
  readonly name: string;
  /** Null if it is not known who has the token. */
  readonly practitionerId: string | null;
};

export const UserContext = createContext<User | null>(null);
export const PatientContext = createContext<Patient | null>(null);
/** Whether the last request reached the server. */
export const ContactContext = createContext(true);
export const ClientContext = createContext<Client | null>(null);

const required = <Value>(value: Value | null): Value => {
  if (value === null) throw new Error('The view is outside of its context.');
  return value;
};

export const useSettings = (): ChartSettings => required(useContext(SettingsContext));
export const useUser = (): User => required(useContext(UserContext));
export const usePatient = (): Patient => required(useContext(PatientContext));
export const useClient = (): Client => required(useContext(ClientContext));
