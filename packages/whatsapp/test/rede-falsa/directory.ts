import type { Recipient, PhoneOwner } from './types.ts'
import { userOf } from './stanza.ts'

export interface Directory {
  readonly add: (quem: Recipient) => void
  readonly addOwner: (quem: PhoneOwner) => void
  readonly find: (jid: string) => Recipient | undefined
  readonly findOwner: (jid: string) => PhoneOwner | undefined
}

export function createDirectory(): Directory {
  const pessoas = new Map<string, Recipient>()
  const donos = new Map<string, PhoneOwner>()
  const incluir = (quem: Recipient): void => {
    pessoas.set(quem.numero, quem)
    pessoas.set(quem.lid, quem)
  }
  return {
    add: incluir,
    addOwner: (quem) => {
      incluir(quem)
      donos.set(quem.numero, quem)
      donos.set(quem.lid, quem)
    },
    find: (jid) => pessoas.get(userOf(jid)),
    findOwner: (jid) => donos.get(userOf(jid)),
  }
}
