import { expect } from 'vitest'
import { MENSAGENS_NO_CARTAO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ServerEvent } from '@balcao/contract/realtime'
import { applyToList, chanceFrom, interleave, TestPanel } from '@balcao/contract/testing/interleaving'
import type { AtendimentoUser } from './atendimento-app.ts'
import { type TestApp, waitUntil } from '#test/app.ts'

let markers = 0

/** Waits until this browser received all events published so far. A socket keeps the order of events. */
async function receiveAllEvents(app: TestApp, { contaId, events }: AtendimentoUser): Promise<void> {
  markers += 1
  const operador = `marca ${markers}`
  const data = { userId: contaId, operadorId: 'marca', operador, status: 'online' } as const
  app.deps.realtime.publish(contaId, 'operadorStatusChange', data)
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
  return eventos.reduce((lista, event) => applyToList(lista, event, contaId), before)
}

/** The event of an opening has only the last mensagens, so the others are compared if the panel holds them. */
function expectInSync(panel: readonly Conversa[], listed: readonly Conversa[], label = 'events in order'): void {
  const held = new Set(panel.flatMap(({ mensagens }) => mensagens.map(({ id }) => id)))
  const expected = listed.map((conversa) => ({
    ...conversa,
    mensagens: conversa.mensagens.filter(
      ({ id }, index, all) => held.has(id) || index >= all.length - MENSAGENS_NO_CARTAO,
    ),
  }))
  expect(panel, label).toEqual(expected)
}

const INTERLEAVINGS = 20

/**
 * The events as if two nodes had published them. Those of one mensagem come from one node: the one with the session
 * publishes its deliveries.
 */
function checkInterleavings(
  [before, after]: readonly [readonly Conversa[], readonly Conversa[]],
  events: readonly ServerEvent[],
  contaId: string,
): void {
  const seed = Math.floor(Math.random() * 1e9)
  for (let round = 0; round < INTERLEAVINGS; round += 1) {
    const chance = chanceFrom(seed + round)
    const nodes: [ServerEvent[], ServerEvent[]] = [[], []]
    const nodeOf = new Map<string, 0 | 1>()
    for (const event of events) {
      const key = event.evento === 'mensagemConversaHumana' ? event.dados.mensagem.id : String(nodeOf.size)
      const node = nodeOf.get(key) ?? (chance(2) === 0 ? 0 : 1)
      nodeOf.set(key, node)
      nodes[node].push(event)
    }
    const panel = new TestPanel(contaId, before)
    for (const event of interleave(chance, nodes)) panel.receive(event, () => after)
    expectInSync(panel.list(), after, `seed ${seed + round}`)
  }
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
  const events = user.events.slice(since)
  expectInSync(applyEvents(before, events, user.contaId), after)
  checkInterleavings([before, after], events, user.contaId)
  return result
}
