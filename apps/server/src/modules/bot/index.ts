export { botRoutes } from './routes.ts'
export { sessionActs } from './session-acts.ts'
export { shownMotivo, shownStatus } from './shown-status.ts'
export {
  countFree,
  countOneFree,
  countRefused,
  forgetLink,
  type HeldLease,
  type Lease,
  lineChannel,
  listHeldLeases,
  listHeldLeasesOf,
  markMachineMissing,
  lockUnownedLink,
  releaseLeases,
  storeSilences,
  takeDeleted,
  takeLeases,
  type TakeOptions,
} from './leases-repository.ts'
export { findAttempt, findTestLine, hasLinked, restartLink, restartOutdated } from './version-test.ts'
export {
  type BotRow,
  findBot,
  isNumberConnected,
  listDisconnected,
  listHolders,
  listWithLink,
  lockNumber,
  markUnwanted,
  type StoredLinkState,
  unwantBot,
  updateCredentials,
  updateLinkState,
  wantBot,
} from './repository.ts'
