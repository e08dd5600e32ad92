import { describeHorario } from '@balcao/engine/rules/horario'
import type { Horario } from '@balcao/contract/entities/config'
import { defaultHorario } from '@balcao/contract/defaults'
import type { MenuDraft } from '#features/mensagens/rascunho.ts'

/** Replaces opening hours written in texts with `{horario}`, which stays correct after a change. */

const ANY_YEAR = 2026

/** Outdated phrases: the default horario and the stored one. */
function outdatedPhrases(guardado: Horario, atual: Horario): string[] {
  const certa = describeHorario(atual)
  return [describeHorario(defaultHorario(ANY_YEAR)), describeHorario(guardado)].filter((frase) => frase !== certa)
}

function replacePhrases(texto: string, procuradas: readonly string[]): string {
  return procuradas.reduce((feito, frase) => {
    const onde = feito.toLowerCase().indexOf(frase.toLowerCase())
    return onde < 0 ? feito : `${feito.slice(0, onde)}{horario}${feito.slice(onde + frase.length)}`
  }, texto)
}

/** Returns the same draft if nothing was replaced. */
export function withHorarioPlaceholder(draft: MenuDraft, stored: Horario, current: Horario): MenuDraft {
  const procuradas = outdatedPhrases(stored, current)
  const novo = {
    ...draft,
    menuPrincipal: replacePhrases(draft.menuPrincipal, procuradas),
    opcoes: draft.opcoes.map((opcao) => ({ ...opcao, resposta: replacePhrases(opcao.resposta, procuradas) })),
    mensagens: {
      boasVindas: replacePhrases(draft.mensagens.boasVindas, procuradas),
      opcaoInvalida: replacePhrases(draft.mensagens.opcaoInvalida, procuradas),
      semEntender: replacePhrases(draft.mensagens.semEntender, procuradas),
      aguardandoAtendente: replacePhrases(draft.mensagens.aguardandoAtendente, procuradas),
      foraPeriodo: replacePhrases(draft.mensagens.foraPeriodo, procuradas),
      despedida: replacePhrases(draft.mensagens.despedida, procuradas),
    },
  }
  return JSON.stringify(novo) === JSON.stringify(draft) ? draft : novo
}
