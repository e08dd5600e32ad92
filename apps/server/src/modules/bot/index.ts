export { deleteJournalEntriesOf, deleteOldJournalEntries } from './erase-journal.ts'
export { deleteKeysMatching } from './keys-repository.ts'
export { markUnwanted } from './repository.ts'
export { botRoutes } from './routes.ts'
export {
  deleteJournalEntries,
  deleteKeysUnderLease,
  journalSealContext,
  listJournalEntries,
  listKeys,
  updateKeys,
} from './keys-repository.ts'
export {
  type BotRow,
  findBot,
  type Lease,
  LEASE_S,
  LEASES_PER_TAKE,
  type LeaseToRenew,
  listDisconnected,
  listHolders,
  listWithLink,
  lockUnownedLink,
  releaseLease,
  type RenewedLease,
  renewLeases,
  type StoredLinkState,
  takeLeases,
  unwantBot,
  updateCredentials,
  updateLinkState,
  wantBot,
} from './repository.ts'
