export {
  connectionNameOf,
  contextChanges,
  insertConta,
  markContaDeleted,
  raiseContextVersion,
  readConnectionName,
  readMainLine,
  readTimeZone,
  restoreConta,
  updateConta,
  updateTimeZone,
} from './contas.ts'
export { type LineFacts, lineFactsSchema, listLineFacts } from './line-facts.ts'
export { listRespostas, removeSetoresOfRespostas, replaceRespostas } from './respostas.ts'
export { listPeopleOfSetores, setoresWithoutOperador, withPeople } from './setor-people.ts'
export {
  clearRemovedOperadores,
  insertUsuario,
  listUsuarioNames,
  removeLineOfOperadores,
  replaceSetores,
  spendTotpStep,
  updateOperador,
  updateOwnData,
  updateUsuario,
} from './usuarios.ts'
