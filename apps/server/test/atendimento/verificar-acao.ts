import { expect } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { EventoServidor } from '@balcao/contract/realtime'
import { aplicarEmConversas } from '@balcao/contract/sync/conversas'
import type { Casa } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import type { Pessoa } from './posto.ts'

let marcas = 0

/** Waits until this browser received all events published so far. A socket keeps the order of events. */
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
 * Runs `acao` and checks that the earlier list plus the received events equals the server's new list. Waits until
 * both are stable. Returns the result of `acao`.
 */
export async function verificarAcao<T>(casa: Casa, pessoa: Pessoa, acao: () => Promise<T>): Promise<T> {
  await alcancar(casa, pessoa)
  const antes = await pessoa.listar()
  const desde = pessoa.eventos.length
  const resultado = await acao()
  let anterior = ''
  // Stable: two readings in a row are equal and no event arrived between them.
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
