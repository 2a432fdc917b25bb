import type { ClinicalStore } from '@clinical-records/core';

/** How long a test may take, in milliseconds. What a store answers is tested, not how fast. */
export const testTimeout = 60_000;

/** Runs its argument on an empty store, which is closed for it. */
export type WithStore = (body: (store: ClinicalStore) => Promise<void>) => Promise<void>;

/** What a test does with its store; `withStore` is for those that need more than one. */
export type TestBody = (store: ClinicalStore, withStore: WithStore) => Promise<void>;

/** Takes in one test of a topic. */
export type TestRegistrar = (title: string, body: TestBody) => void;

/** Some tests that belong together. */
export type TestTopic = (test: TestRegistrar) => void;
