export {
  addressKey,
  canonicalAddress,
  type CreatedContato,
  ensureContatoOfPhone,
  ensureContatos,
  findPhone,
  type FoundContato,
  nameOrPhone,
  type NewContato,
  serviceAddressKey,
  setCurrentConversa,
  storedMessageSql,
  updateExpectsAnswer,
  storeUserNames,
  type UserNameChange,
} from './contatos.ts'
export {
  findKnownContatos,
  insertSavedContatos,
  type KnownContato,
  type SavedChange,
  updateSavedContatos,
} from './saved-contatos.ts'
export { findReplyAddress, joinAddresses, moveAddresses, type SeenTogether } from './identity.ts'
export { type MergedContato } from './merge-contatos.ts'
export { type Announcements, isLeftAddress, parseAnnouncements } from './announcements.ts'
