import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SendFailed, SendRefused } from '@balcao/connector/errors'
import type { Connector, SessionHost } from '@balcao/connector/port'
import { waitUntil } from '#test/app.ts'
import { seriesIn } from '#test/metrics.ts'
import { createDelayedDatabase } from './delayed-database.ts'
import {
  connectBot,
  createCustomer,
  createTestRuntime,
  giveBotTo,
  MUTE_BUS,
  startIdleNode,
  type TestNode,
  type TestRuntime,
} from './test-runtime.ts'
import { firstLine } from '#db/statement/line.ts'

const KINDS = ['estado', 'credenciais', 'chaves', 'envio', 'tentativa', 'falha', 'silencio'] as const

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

/** How often the database refused a write of this node, by kind. */
async function refusals({ deps }: TestNode): Promise<Record<string, number | null>> {
  const text = await deps.metrics.render({ values: {}, sessions: [] })
  return Object.fromEntries(KINDS.map((tipo) => [tipo, seriesIn(text, 'balcao_escritas_recusadas_total', { tipo })]))
}

interface BlindNode {
  readonly node: TestNode
  readonly contaId: string
  readonly host: SessionHost
  /** Replaces the sends of the connector. */
  readonly sendsWith: (send: Connector['send']) => void
  /** Lets the node read its leases again. */
  readonly release: () => Promise<void>
}

/** A node with a connected bot that reads its leases only after `release`. */
async function startBlindNode(name: string): Promise<BlindNode> {
  const follow = createDelayedDatabase('not (desejado and parada', 'antes')
  let host: SessionHost | null = null
  let send: Connector['send'] | null = null
  const node = await runtime.startNode(name, {
    bus: MUTE_BUS,
    db: follow.db,
    timings: { renewMs: 50 },
    connector: (connector, _contaId, of) => {
      host = of
      return { ...connector, silenceMs: () => 0, send: (message) => (send ?? connector.send)(message) }
    },
  })
  const contaId = await runtime.givenConta()
  await connectBot(node, contaId)
  await follow.hold()
  return {
    ...{ node, contaId, host: await waitUntil(() => host), release: follow.release },
    sendsWith: (replacement) => (send = replacement),
  }
}

it('counts each kind of write that is refused after the bot was taken', async () => {
  const other = await startIdleNode(runtime)
  const { node, contaId, host, sendsWith, release } = await startBlindNode('perdeu')
  expect(await refusals(node)).toEqual(Object.fromEntries(KINDS.map((tipo) => [tipo, 0])))
  await giveBotTo(runtime.database, contaId, other)
  let failures = 0
  sendsWith(() => {
    failures += 1
    return Promise.reject(failures === 1 ? new SendFailed('sem rede') : new SendRefused('número inválido'))
  })
  await createCustomer(node, contaId).says('oi')
  await expect(host.keys.write([{ tipo: 'session', id: '1', valor: 'um' }], [])).rejects.toThrow('lease lost')
  await expect(host.saveCredentials({})).rejects.toThrow('lease lost')
  await expect(host.beginSend(randomUUID())).rejects.toThrow()
  await waitUntil(async () => {
    const { tentativa, falha, silencio } = await refusals(node)
    return [tentativa, falha, silencio].every((count) => Number(count) > 0)
  })
  await host.linkState({ tipo: 'reconectando', motivo: 'semRede' })
  expect(await refusals(node)).toMatchObject({ estado: 1, credenciais: 1, chaves: 1, envio: 1, tentativa: 1 })
  await release()
  await node.stop()
})

it('does not count a write of a bot that its owner stopped', async () => {
  const other = await runtime.startNode('parou', {
    bus: MUTE_BUS,
    timings: { renewMs: 3_600_000, searchMs: 3_600_000 },
  })
  const { node, contaId, host, release } = await startBlindNode('parado')
  await other.runtime.bots.stop(firstLine(contaId))
  await host.linkState({ tipo: 'reconectando', motivo: 'semRede' })
  await expect(host.saveCredentials({})).rejects.toThrow('lease lost')
  expect(await refusals(node)).toMatchObject({ estado: 0, credenciais: 0 })
  await release()
  await other.stop()
  await node.stop()
})
