import type { Destinatario, Dono } from './tipos.ts'
import { usuarioDe } from './stanza.ts'

export interface Agenda {
  readonly incluir: (quem: Destinatario) => void
  readonly incluirDono: (quem: Dono) => void
  readonly achar: (jid: string) => Destinatario | undefined
  readonly acharDono: (jid: string) => Dono | undefined
}

export function createAgenda(): Agenda {
  const pessoas = new Map<string, Destinatario>()
  const donos = new Map<string, Dono>()
  const incluir = (quem: Destinatario): void => {
    pessoas.set(quem.numero, quem)
    pessoas.set(quem.lid, quem)
  }
  return {
    incluir,
    incluirDono: (quem) => {
      incluir(quem)
      donos.set(quem.numero, quem)
      donos.set(quem.lid, quem)
    },
    achar: (jid) => pessoas.get(usuarioDe(jid)),
    acharDono: (jid) => donos.get(usuarioDe(jid)),
  }
}
