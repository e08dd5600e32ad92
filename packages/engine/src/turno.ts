import type { BotContext } from '#context.ts'
import { type BotEffect, texto } from '#effect.ts'
import type { Contato } from '#event.ts'
import { preencher } from '#rules/modelo.ts'
import { renderMenu } from '#rules/opcoes.ts'
import type { BotState, Memoria } from '#state.ts'

/** Everything a stage needs to answer once. */
export interface Turno {
  readonly contexto: BotContext
  readonly memoria: Memoria
  readonly agora: number
  readonly contato: Contato
  readonly protocolo: string
}

export interface Resultado {
  readonly state: BotState
  readonly effects: readonly BotEffect[]
}

/** A text with its braces filled; an empty one says nothing. */
export function dizer(turno: Turno, conteudo: string): BotEffect[] {
  const cheio = preencher(conteudo, turno)
  return cheio.trim() === '' ? [] : [texto(cheio)]
}

/** The first of some texts that says anything: an owner who emptied one does not leave the customer in silence. */
export function dizerAlgum(turno: Turno, ...conteudos: readonly string[]): BotEffect[] {
  for (const conteudo of conteudos) {
    const dito = dizer(turno, conteudo)
    if (dito.length > 0) return dito
  }
  return []
}

/** The main menu, after whatever is said first. Always speaks: options that its text does not list are appended. */
export function mostrarMenu(turno: Turno, antes: readonly BotEffect[] = []): Resultado {
  return {
    state: { ...turno.memoria, etapa: 'menu', pergunta: null },
    effects: [...antes, ...dizer(turno, renderMenu(turno.contexto.config))],
  }
}

/** The end of a conversation: what comes next begins with the greeting again. */
export function encerrada({ memoria, agora }: Turno): BotState {
  return { ...memoria, etapa: 'encerrada', desde: agora, pergunta: null }
}
