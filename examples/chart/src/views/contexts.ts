import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../api/client.ts';
import type { Patient } from '../model/resources.ts';
import type { ChartSettings } from '../settings.ts';

export const SettingsContext = createContext<ChartSettings | null>(null);
export const UserNameContext = createContext<string | null>(null);
export const PatientContext = createContext<Patient | null>(null);
export const ClientContext = createContext<Client | null>(null);

const required = <Value>(value: Value | null): Value => {
  if (value === null) throw new Error('The view is outside of its context.');
  return value;
};

export const useSettings = (): ChartSettings => required(useContext(SettingsContext));
/** The name of the user who is signed in. */
export const useUserName = (): string => required(useContext(UserNameContext));
export const usePatient = (): Patient => required(useContext(PatientContext));
export const useClient = (): Client => required(useContext(ClientContext));
