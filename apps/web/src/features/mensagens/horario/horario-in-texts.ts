import { describeHorario } from '@balcao/engine/rules/horario'
import type { Horario } from '@balcao/contract/entities/config'
import { defaultHorario } from '@balcao/contract/defaults'
import type { MenuDraft } from '#features/mensagens/menu/menu-draft.ts'

/** Replaces opening hours written in texts with `{horario}`, which stays correct after a change. */

const ANY_YEAR = 2026

/** Outdated phrases: the default horario and the stored one. */
function outdatedPhrases(guardado: Horario, atual: Horario): string[] {
  const certa = describeHorario(atual)
  return [describeHorario(defaultHorario(ANY_YEAR)), describeHorario(guardado)].filter((sentence) => sentence !== certa)
}

function replacePhrases(text: string, procuradas: readonly string[]): string {
  return procuradas.reduce((done, sentence) => {
    const onde = done.toLowerCase().indexOf(sentence.toLowerCase())
    return onde < 0 ? done : `${done.slice(0, onde)}{horario}${done.slice(onde + sentence.length)}`
  }, text)
}

/** Returns the same draft if nothing was replaced. */
export function withHorarioPlaceholder(draft: MenuDraft, stored: Horario, current: Horario): MenuDraft {
  const procuradas = outdatedPhrases(stored, current)
  const fresh = {
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
  return JSON.stringify(fresh) === JSON.stringify(draft) ? draft : fresh
}
