import { descreverHorario } from '@balcao/engine/rules/horario'
import type { Horario } from '@balcao/contract/entities/config'
import { horarioPadrao } from '@balcao/contract/defaults'
import type { Rascunho } from '#features/mensagens/rascunho.ts'

/** Replaces opening hours written in texts with `{horario}`, which stays correct after a change. */

const ANO_QUALQUER = 2026

/** Outdated phrases: the default horario and the stored one. */
function frases(guardado: Horario, atual: Horario): string[] {
  const certa = descreverHorario(atual)
  return [descreverHorario(horarioPadrao(ANO_QUALQUER)), descreverHorario(guardado)].filter((frase) => frase !== certa)
}

function trocar(texto: string, procuradas: readonly string[]): string {
  return procuradas.reduce((feito, frase) => {
    const onde = feito.toLowerCase().indexOf(frase.toLowerCase())
    return onde < 0 ? feito : `${feito.slice(0, onde)}{horario}${feito.slice(onde + frase.length)}`
  }, texto)
}

/** Returns the same draft if nothing was replaced. */
export function comHorarioNosTextos(rascunho: Rascunho, guardado: Horario, atual: Horario): Rascunho {
  const procuradas = frases(guardado, atual)
  const novo = {
    ...rascunho,
    menuPrincipal: trocar(rascunho.menuPrincipal, procuradas),
    opcoes: rascunho.opcoes.map((opcao) => ({ ...opcao, resposta: trocar(opcao.resposta, procuradas) })),
    mensagens: {
      boasVindas: trocar(rascunho.mensagens.boasVindas, procuradas),
      opcaoInvalida: trocar(rascunho.mensagens.opcaoInvalida, procuradas),
      semEntender: trocar(rascunho.mensagens.semEntender, procuradas),
      aguardandoAtendente: trocar(rascunho.mensagens.aguardandoAtendente, procuradas),
      foraPeriodo: trocar(rascunho.mensagens.foraPeriodo, procuradas),
      despedida: trocar(rascunho.mensagens.despedida, procuradas),
    },
  }
  return JSON.stringify(novo) === JSON.stringify(rascunho) ? rascunho : novo
}
