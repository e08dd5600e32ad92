import { expect } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ServerEvent } from '@balcao/contract/realtime'
import { applyToConversas } from '@balcao/contract/sync/conversas'
import type { AtendimentoUser } from './atendimento-app.ts'
import { type TestApp, waitUntil } from '#test/app.ts'

let markers = 0

/** Waits until this browser received all events published so far. A socket keeps the order of events. */
async function receiveAllEvents(casa: TestApp, { contaId, events }: AtendimentoUser): Promise<void> {
  markers += 1
  const operador = `marca ${markers}`
  const data = { userId: contaId, operadorId: 'marca', operador, status: 'online' } as const
  casa.deps.realtime.publish(contaId, 'operadorStatusChange', data)
  await waitUntil(() =>
    events.some(
      (um) => um.evento === 'operadorStatusChange' && 'operador' in um.dados && um.dados.operador === operador,
    ),
  )
}

function applyEvents(
  before: readonly Conversa[],
  eventos: readonly ServerEvent[],
  contaId: string,
): readonly Conversa[] {
  return eventos.reduce((lista, event) => applyToConversas(lista, event, contaId), before)
}

/**
 * Runs `acao` and checks that the earlier list plus the received events equals the server's new list. Waits until
 * both are stable. Returns the result of `acao`.
 */
export async function checkListSync<T>(app: TestApp, user: AtendimentoUser, act: () => Promise<T>): Promise<T> {
  await receiveAllEvents(app, user)
  const before = await user.list()
  const since = user.events.length
  const result = await act()
  let previous = ''
  // Stable: two readings in a row are equal and no event arrived between them.
  await waitUntil(async () => {
    await app.idle()
    await receiveAllEvents(app, user)
    const now = JSON.stringify([
      await user.list(),
      user.events.filter(({ evento }) => evento !== 'operadorStatusChange').length,
    ])
    const stopped = now === previous && !now.includes('"pendente"')
    previous = now
    return stopped
  })
  const after = await user.list()
  expect(after).not.toEqual(before)
  expect(applyEvents(before, user.events.slice(since), user.contaId)).toEqual(after)
  return result
}
