import { expect } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ServerEvent } from '@balcao/contract/realtime'
import { applyToConversas } from '@balcao/contract/sync/conversas'
import type { TestServer } from '#test/bot/casa.ts'
import { waitUntil } from '#test/bot/house.ts'
import type { AtendimentoUser } from './posto.ts'

let markers = 0

/** Waits until this browser received all events published so far. A socket keeps the order of events. */
async function receiveAllEvents(casa: TestServer, { contaId, events }: AtendimentoUser): Promise<void> {
  markers += 1
  const operador = `marca ${markers}`
  const dados = { userId: contaId, operadorId: 'marca', operador, status: 'online' } as const
  casa.deps.realtime.publish(contaId, 'operadorStatusChange', dados)
  await waitUntil(() =>
    events.some(
      (um) => um.evento === 'operadorStatusChange' && 'operador' in um.dados && um.dados.operador === operador,
    ),
  )
}

function applyEvents(antes: readonly Conversa[], eventos: readonly ServerEvent[], contaId: string): readonly Conversa[] {
  return eventos.reduce((lista, evento) => applyToConversas(lista, evento, contaId), antes)
}

/**
 * Runs `acao` and checks that the earlier list plus the received events equals the server's new list. Waits until
 * both are stable. Returns the result of `acao`.
 */
export async function checkListSync<T>(app: TestServer, user: AtendimentoUser, act: () => Promise<T>): Promise<T> {
  await receiveAllEvents(app, user)
  const antes = await user.list()
  const desde = user.events.length
  const resultado = await act()
  let anterior = ''
  // Stable: two readings in a row are equal and no event arrived between them.
  await waitUntil(async () => {
    await app.idle()
    await receiveAllEvents(app, user)
    const agora = JSON.stringify([
      await user.list(),
      user.events.filter(({ evento }) => evento !== 'operadorStatusChange').length,
    ])
    const parado = agora === anterior && !agora.includes('"pendente"')
    anterior = agora
    return parado
  })
  const depois = await user.list()
  expect(depois).not.toEqual(antes)
  expect(applyEvents(antes, user.events.slice(desde), user.contaId)).toEqual(depois)
  return resultado
}
