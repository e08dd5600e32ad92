export {
  deleteJournalEntriesOf,
  deleteOldJournalEntries,
  deleteKeysMatching,
  deleteJournalEntries,
  deleteKeysUnderLease,
  journalSealContext,
  listJournalEntries,
  listKeys,
  updateKeys,
} from './keys-repository.ts'
export { markUnwanted } from './repository.ts'
export { botRoutes } from './routes.ts'
export { shownMotivo, shownStatus } from './shown-status.ts'
export {
  countFree,
  countOneFree,
  countRefused,
  type HeldLease,
  type Lease,
  listHeldLeases,
  listHeldLeasesOf,
  markMachineMissing,
  lockUnownedLink,
  releaseLeases,
  storeSilences,
  takeLeases,
  type TakeOptions,
} from './leases-repository.ts'
export {
  type BotRow,
  findBot,
  listDisconnected,
  listHolders,
  listWithLink,
  type StoredLinkState,
  unwantBot,
  updateCredentials,
  updateLinkState,
  wantBot,
} from './repository.ts'
