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

/** The main menu, after whatever is said first. Always speaks: the menu's text is never empty. */
export function mostrarMenu(turno: Turno, antes: readonly BotEffect[] = []): Resultado {
  return {
    state: { ...turno.memoria, etapa: 'menu', pergunta: null },
    effects: [...antes, ...dizer(turno, renderMenu(turno.contexto.config))],
  }
}
