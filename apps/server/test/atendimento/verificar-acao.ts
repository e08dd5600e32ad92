import { expect } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { EventoServidor } from '@balcao/contract/realtime'
import { aplicarEmConversas } from '@balcao/contract/sync/conversas'
import type { Casa } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import type { Pessoa } from './posto.ts'

let marcas = 0

/** Everything that was published until now has reached this person's browser: events of a socket keep their order. */
async function alcancar(casa: Casa, { contaId, eventos }: Pessoa): Promise<void> {
  marcas += 1
  const operador = `marca ${marcas}`
  const dados = { userId: contaId, operadorId: 'marca', operador, status: 'online' } as const
  casa.deps.realtime.publish(contaId, 'operadorStatusChange', dados)
  await ate(() =>
    eventos.some(
      (um) => um.evento === 'operadorStatusChange' && 'operador' in um.dados && um.dados.operador === operador,
    ),
  )
}

function aplicar(antes: readonly Conversa[], eventos: readonly EventoServidor[], contaId: string): readonly Conversa[] {
  return eventos.reduce((lista, evento) => aplicarEmConversas(lista, evento, contaId), antes)
}

/**
 * The list before an act, with the events that the act made, is the list after it: what a browser shows without asking again
 * is what it would be told if it asked. Both must hold once nothing moves any more; gives what the act gave.
 */
export async function verificarAcao<T>(casa: Casa, pessoa: Pessoa, acao: () => Promise<T>): Promise<T> {
  await alcancar(casa, pessoa)
  const antes = await pessoa.listar()
  const desde = pessoa.eventos.length
  const resultado = await acao()
  let anterior = ''
  // Still: two readings in a row say the same and nothing new was told between them.
  await ate(async () => {
    await casa.ocioso()
    await alcancar(casa, pessoa)
    const agora = JSON.stringify([
      await pessoa.listar(),
      pessoa.eventos.filter(({ evento }) => evento !== 'operadorStatusChange').length,
    ])
    const parado = agora === anterior && !agora.includes('"pendente"')
    anterior = agora
    return parado
  })
  const depois = await pessoa.listar()
  expect(depois).not.toEqual(antes)
  expect(aplicar(antes, pessoa.eventos.slice(desde), pessoa.contaId)).toEqual(depois)
  return resultado
}
