import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConnectorFactory } from '@balcao/connector/port'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { connectBot, givenConta } from '#test/builders.ts'
import { addLine, connectLine, lineWith, newPhone, waitingOn, writesOn } from './lines.ts'

let app: TestApp
/** Lines whose phone was unlinked. */
const unlinked: string[] = []

/** A phone that is paired as soon as it starts. */
const whatsapp: ConnectorFactory = (host) => ({
  silenceMs: () => 0,
  start: async () => {
    await host.saveCredentials({ pareado: true })
    await host.linkState({ tipo: 'conectado', como: 'Loja' })
  },
  stop: () => Promise.resolve(),
  logout: async () => void unlinked.push(host.linhaId),
  send: () => Promise.resolve(),
  typing: () => undefined,
})

beforeAll(async () => {
  app = await createTestApp({ connectors: { whatsapp } })
})
afterAll(() => app.close())

const openOn = (linhaId: string) =>
  app.sql(`select status from conversas where linha_id = $1 and status <> 'finalizada'`, [linhaId])

/** A further line that is connected, with a customer in the menu. */
async function givenLine() {
  const dona = await givenConta(app)
  await connectBot(dona)
  const { id } = await addLine(dona, 'Filial')
  await connectLine(dona, id)
  const phone = newPhone()
  await writesOn(dona, id, phone, 'oi')
  await waitUntil(async () => (await openOn(id)).length > 0)
  return { dona, id, phone }
}

/** Deletes the line and stops before its conversas of the bot end, until `meanwhile` is over. */
async function deleteSlowly({ dona, id }: Awaited<ReturnType<typeof givenLine>>, meanwhile: () => Promise<void>) {
  const client = await app.database.owner.connect()
  try {
    await client.query('begin')
    await client.query(`select 1 from conversas where linha_id = $1 order by id limit 1 for update`, [id])
    const deleted = dona.request('DELETE', `/linhas/${id}`)
    await waitUntil(async () => {
      const waiting = await app.sql(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%conversas%expirada%'`,
      )
      return waiting.length > 0
    })
    await meanwhile()
    await client.query('commit')
    return await deleted
  } finally {
    client.release()
  }
}

describe('DELETE /linhas/:id', () => {
  it('opens no conversa for a customer who asks for a person at the same moment', async () => {
    const line = await givenLine()
    const late = newPhone()
    await writesOn(line.dona, line.id, late, 'oi')
    await waitUntil(async () => (await openOn(line.id)).length > 1)
    const asked: Promise<void>[] = []
    const answer = await deleteSlowly(line, async () => {
      asked.push(writesOn(line.dona, line.id, late, 'atendente'))
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    })
    expect(answer.status).toBe(204)
    await Promise.allSettled(asked)
    await app.idle()
    expect(await openOn(line.id)).toEqual([])
  })

  it('finishes a conversa of the bot that begins at the same moment', async () => {
    const line = await givenLine()
    const answer = await deleteSlowly(line, async () => {
      await writesOn(line.dona, line.id, newPhone(), 'oi')
      await waitUntil(async () => (await openOn(line.id)).length > 1)
    })
    expect(answer.status).toBe(204)
    expect(await openOn(line.id)).toEqual([])
  })

  it('fails the messages that wait, publishes them and logs their number', async () => {
    const { dona, id } = await givenLine()
    const conversaId = await waitingOn(dona, id, newPhone())
    const path = `/atendimento/conversas/${conversaId}`
    await dona.request('POST', `${path}/assumir`)
    await dona.request('POST', `/linhas/${id}/parar`)
    const sent = await dona.request('POST', `${path}/mensagem`, { mensagem: 'Já vou' })
    expect(sent.body['mensagem'], JSON.stringify(sent.body)).toMatchObject({ estado: 'pendente' })
    const { received } = await app.connect(dona)
    expect((await dona.request('DELETE', `/linhas/${id}?encerrar=true`)).status).toBe(204)
    const published = () =>
      received.flatMap(([name, event]) => (name === 'mensagemConversaHumana' ? [Object(event['mensagem'])] : []))
    const failed = { texto: 'Já vou', estado: 'falhou', erro: 'A linha foi excluída antes do envio desta mensagem.' }
    await waitUntil(() => published().length > 0)
    expect(published()).toEqual([expect.objectContaining(failed)])
    expect(await app.sql('select 1 from saida where linha_id = $1', [id])).toEqual([])
    const logs = await app.sql(`select mensagem from logs where conta_id = $1 and mensagem like '%excluída%'`, [
      dona.contaId,
    ])
    expect(logs).toEqual([{ mensagem: 'Uma mensagem não foi enviada, porque a linha “Filial” foi excluída.' }])
  })

  it.each([false, true])('unlinks the phone once, the order to its session lost: %s', async (lost) => {
    const dona = await givenConta(app)
    const { id } = await addLine(dona, 'Filial', { conector: 'whatsapp' })
    await dona.request('POST', `/linhas/${id}/iniciar`)
    await waitUntil(async () => (await lineWith(dona, id)).status === 'CONECTADO')
    const order = vi.spyOn(app.deps.bots, 'unlinkDeleted')
    if (lost) order.mockRejectedValueOnce(new Error('died'))
    expect((await dona.request('DELETE', `/linhas/${id}`)).status).toBe(lost ? 500 : 204)
    order.mockRestore()
    const session = () => app.sql('select no, credenciais from linhas_bots where linha_id = $1', [id])
    await waitUntil(async () => (await session())[0]?.['no'] === null)
    expect(await session()).toEqual([{ no: null, credenciais: null }])
    expect(unlinked.filter((one) => one === id)).toHaveLength(1)
  })
})
